import type { Suite, SuiteContext } from '@daybook/evidence';
import { Parser } from 'htmlparser2';

import { mcpPath } from '../../../apps/server/src/news/addresses.ts';
import type { HttpAnswer } from '../news/http-question.ts';
import { ask, requestOnce } from '../news/http-question.ts';
import { baseUrl } from '../news/news-stage.ts';
import type { SiteStage } from '../site/site-stage.ts';
import { setSiteStage } from '../site/site-stage.ts';

export const suite: Suite = {
  name: 'links',
  summary: 'No internal link of the site, API, feeds, agent documents or sitemap is broken.',
  promise:
    'A crawl starts at the front page and at every address that the API, the feeds, the documents for agents and the sitemap name. Each address answers 200, 308 or 410, and each linked fragment exists.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setSiteStage(context.root);
    try {
      await crawlSite(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

const accountPaths = /^\/(?:account|auth|platform)(?:\/|$)/;
const pagesMax = { quick: 110, full: 1_500 } as const;
/** Documents that programs read and that contain our addresses. */
const documents = [
  '/api/v1/items?limit=100&mode=all',
  '/api/v1/hot-topics',
  '/api/v1/dailies',
  '/api/v1/weeklies',
  '/api/v1/monthlies',
  '/api/v1/dailies/latest',
  '/api/v1/sources',
  '/agent/index.md',
  '/agent/latest.md',
  '/agent/hot.md',
  '/agent/daily.md',
  '/llms.txt',
  '/sitemap.xml',
  '/sources.opml',
  '/feeds/selected.atom',
  '/feeds/selected.json',
  '/feeds/daily.atom',
  '/feeds/weekly.json',
  '/feeds/monthly.atom',
];

async function crawlSite(context: SuiteContext, { port, world }: SiteStage): Promise<void> {
  const named = new Set<string>();
  for (const path of [...documents, ...world.storyIds.map((id) => `/api/v1/stories/${id}`)]) {
    const { text } = await requestOnce(port, path);
    for (const found of addressesIn(text)) named.add(found);
  }
  const waiting = ['/', ...named];
  const known = new Map<string, Visited>();
  const linkedFragments: { readonly from: string; readonly path: string; readonly fragment: string }[] = [];
  const broken: string[] = [];
  while (waiting.length > 0 && known.size < pagesMax[context.quick ? 'quick' : 'full']) {
    const path = waiting.pop() ?? '/';
    if (known.has(path) || accountPaths.test(path)) continue;
    const visited = await visit(port, path);
    known.set(path, visited);
    if (![200, 308, 410].includes(visited.status)) broken.push(`${visited.status} ${path}`);
    for (const link of visited.links) {
      const [target = '', fragment = ''] = link.split('#', 2);
      const own = target === '' ? path : target;
      if (fragment !== '') linkedFragments.push({ from: path, path: own, fragment });
      waiting.push(own);
    }
  }
  const lost = linkedFragments.filter(({ path, fragment }) => known.get(path)?.ids.has(fragment) === false);
  for (const line of [
    ...broken,
    ...lost.map(({ from, path, fragment }) => `${from} links ${path}#${fragment}`),
  ].slice(0, 20))
    context.note(line);
  context.figure({ name: 'addresses visited', value: known.size, unit: 'addresses', goal: { atLeast: 100 } });
  context.figure({
    name: 'of these named by API, feeds, Markdown and sitemap',
    value: named.size,
    unit: 'addresses',
    goal: { atLeast: 50 },
  });
  context.figure({
    name: 'answers other than 200, 308 and 410',
    value: broken.length,
    unit: 'addresses',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'links to a missing fragment',
    value: lost.length,
    unit: 'links',
    goal: { exactly: 0 },
  });
}

/** Our own addresses in a document, whatever its form. */
function addressesIn(text: string): readonly string[] {
  const found = text
    .replaceAll('&amp;', '&')
    .matchAll(new RegExp(`${baseUrl}(/[^\\s"'<>)\\]\`#…\\\\]*)`, 'g'));
  return [...found].map(([, path]) => path as string).filter((path) => !/[{}]|%7B/.test(path));
}

/** The one address among them that accepts only POST. */
function pingMcp(port: number): Promise<HttpAnswer> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return ask(port, { method: 'POST', path: mcpPath, headers, body });
}

interface Visited {
  readonly status: number;
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

async function visit(port: number, path: string): Promise<Visited> {
  const { status, headers, text } = await (path === mcpPath ? pingMcp(port) : requestOnce(port, path));
  const links: string[] = [];
  const ids = new Set<string>();
  if (!String(headers['content-type']).startsWith('text/html')) return { status, links, ids };
  const parser = new Parser({
    onopentag: (_name, attributes) => {
      if (attributes['id'] !== undefined) ids.add(attributes['id']);
      for (const address of [attributes['href'], attributes['src'], attributes['content']]) {
        if (address === undefined) continue;
        const own = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : address;
        if (own.startsWith('/') || own.startsWith('#')) links.push(own);
      }
    },
  });
  parser.end(text);
  return { status, links, ids };
}
