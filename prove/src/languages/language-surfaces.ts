import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { AnyClient } from '../mcp/mcp-clients.ts';
import { requestUntilNotBusy } from '../news/http-question.ts';

/** One story or item as a surface shows it. */
export interface Shown {
  readonly key: string;
  readonly title: string;
  readonly digest?: string | null;
  readonly sources?: number;
  /** The titles in the reader's language that may be shown here; by default all of the story or item. */
  readonly titles?: ReadonlySet<string>;
  /** Whether the title was written once and stays when the title of its item changes. */
  readonly isHeadline?: true;
}

export interface Surface {
  readonly name: string;
  /** Whether both languages must show the same entries in the same order. */
  readonly isSameForAll: boolean;
  /** Every entry must be in the language. */
  readonly isOneLanguage?: boolean;
  /** All surfaces of one document must show the same entries. */
  readonly document?: string;
  readonly read: (language: ReaderLanguage) => Promise<readonly Shown[]>;
}

export interface Readers {
  readonly port: number;
  readonly mcp: AnyClient;
}

interface Topic {
  readonly id: string;
  readonly title: string;
  readonly sourceCount: number;
  readonly links: { readonly story?: string };
}
interface Story {
  readonly publicId: string;
  readonly title: string;
  readonly digest: { readonly text: string } | null;
  readonly sourceCount: number;
  readonly reports: readonly { readonly id: string; readonly title: string }[];
}

const cli = fileURLToPath(new URL('../../../packages/cli/src/bin/daybook.ts', import.meta.url));
const run = promisify(execFile);

export async function get(port: number, path: string): Promise<string> {
  const { status, text } = await requestUntilNotBusy(port, path);
  if (status !== 200) throw new Error(`${path} returned ${status}`);
  return text;
}

export async function getJson<Body>(port: number, path: string): Promise<Body> {
  return JSON.parse(await get(port, path)) as Body;
}

export async function runCli<Body>(port: number, args: readonly string[]): Promise<Body> {
  const { stdout } = await run(process.execPath, [
    cli,
    ...args,
    '--json',
    '--url',
    `http://127.0.0.1:${port}`,
  ]);
  return JSON.parse(stdout) as Body;
}

/** Installations in these suites are English. */
export function pagePath(language: ReaderLanguage, path: string): string {
  return language === 'en' ? path : `/zh${path === '/' ? '' : path}`;
}

const topicOf = ({ id, title, sourceCount, links: { story } }: Topic): Shown => ({
  key: story === undefined ? id : lastSegment(story),
  title,
  sources: sourceCount,
});

const storyOf = ({ publicId, title, digest, sourceCount, reports }: Story): readonly Shown[] => [
  { key: publicId, title, digest: digest?.text ?? null, sources: sourceCount },
  ...reports.map(({ id }) => ({ key: `report ${id}`, title: '' })),
];

function lastSegment(address: string): string {
  return new URL(address, 'http://localhost').pathname.split('/').at(-1) ?? '';
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

export function plain(html: string): string {
  return withoutEntities(html.replaceAll(/<[^>]+>/g, ''));
}

function withoutEntities(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
}

/** Without a title if the document does not contain it; Markdown escapes punctuation. */
export function inMarkdown(text: string, shown: Shown): Shown {
  const letters = (of: string): string => withoutEntities(of).replaceAll(/[^\p{L}\p{N}]/gu, '');
  const texts = [shown.title, shown.digest ?? ''];
  const isComplete = texts.every((one) => letters(text).includes(letters(one)));
  return isComplete ? shown : { ...shown, title: '' };
}

/** By printed rank: a page lists reports of the other language after its own. */
function hotListOf(page: string): readonly Shown[] {
  const pattern =
    /<span class="rank">(\d+)<\/span>[\s\S]*?<h\d[^>]*><a href="([^"]+)">([\s\S]*?)<\/a><\/h\d>([\s\S]*?)<\/li>/g;
  return [...page.matchAll(pattern)]
    .map(([, rank, href = '', title = '', rest = '']) => ({
      rank: Number(rank),
      key: lastSegment(href),
      title: plain(title),
      ...sourcesIn(rest),
    }))
    .toSorted((one, other) => one.rank - other.rank);
}

export function sourcesIn(text: string): { readonly sources?: number } {
  const found = /([\d,]+) (?:independent source|个独立信源)/.exec(text)?.[1];
  return found === undefined ? {} : { sources: Number(found.replaceAll(',', '')) };
}

export function hotSurfaces({ port, mcp }: Readers): readonly Surface[] {
  const surface = (name: string, read: Surface['read']): Surface => ({ name, isSameForAll: true, read });
  return [
    surface('hot topics, API', async (language) =>
      (await getJson<{ items: Topic[] }>(port, `/api/v1/hot-topics?language=${language}`)).items.map(topicOf),
    ),
    surface('hot topics, Markdown', async (language) => {
      const text = await get(port, `/agent/hot.md?language=${language}`);
      const { items } = await getJson<{ items: Topic[] }>(port, `/api/v1/hot-topics?language=${language}`);
      return items
        .map(topicOf)
        .filter(({ key }) => text.includes(key))
        .map((one) => inMarkdown(text, one));
    }),
    surface('hot topics, MCP', async (language) => {
      const { structuredContent } = await mcp.callTool({ name: 'hot_topics', arguments: { language } });
      const { items } = structuredContent as unknown as { items: (Topic & { storyId?: string })[] };
      return items.map(({ id, storyId, title, sourceCount }) => ({
        key: storyId ?? id,
        title,
        sources: sourceCount,
      }));
    }),
    surface('hot topics, CLI', async (language) =>
      (await runCli<{ items: Topic[] }>(port, ['hot', '--language', language])).items.map(topicOf),
    ),
    surface('hot page', async (language) => hotListOf(await get(port, pagePath(language, '/hot')))),
    surface('front page, hot list', async (language) => hotListOf(await get(port, pagePath(language, '/')))),
  ];
}

export function storySurfaces({ port, mcp }: Readers, id: string, withCli: boolean): readonly Surface[] {
  const surface = (name: string, read: Surface['read']): Surface => ({ name, isSameForAll: true, read });
  return [
    surface('story, API', async (language) =>
      storyOf((await getJson<{ story: Story }>(port, `/api/v1/stories/${id}?language=${language}`)).story),
    ),
    surface('story, Markdown', async (language) => {
      const text = await get(port, `/agent/stories/${id}.md?language=${language}`);
      const { story } = await getJson<{ story: Story }>(port, `/api/v1/stories/${id}?language=${language}`);
      const stated = / reports by (\d+) sources/.exec(text)?.[1];
      const isListed = (title: string): boolean => inMarkdown(text, { key: '', title }).title !== '';
      const reports = story.reports.filter(({ title }) => isListed(title));
      return storyOf({ ...story, reports, sourceCount: Number(stated) }).map((one) =>
        one.key === id ? inMarkdown(text, one) : one,
      );
    }),
    surface('story, feed', async (language) => {
      const feed = await getJson<{ title: string; items: { id: string }[] }>(
        port,
        `/feeds/stories/${id}.json?language=${language}`,
      );
      const reports = feed.items.map((item) => ({ key: `report ${lastSegment(item.id)}`, title: '' }));
      return [{ key: id, title: feed.title.replace(/^Daybook(?:: |：)/, '') }, ...reports];
    }),
    surface('story, MCP', async (language) => {
      const { structuredContent } = await mcp.callTool({ name: 'story', arguments: { id, language } });
      return storyOf((structuredContent as unknown as { story: Story }).story);
    }),
    surface('story page', async (language) => {
      const page = await get(port, pagePath(language, `/story/${id}`));
      const digest = /<div class="digest"[^>]*>([\s\S]*?)<\/div>/.exec(page)?.[1];
      return [
        {
          key: id,
          title: plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(page)?.[1] ?? ''),
          digest: digest === undefined ? null : plain(digest),
          ...sourcesIn(page.replaceAll(/<dt>([\s\S]*?)<\/dt>\s*<dd>([\s\S]*?)<\/dd>/g, '$2 $1')),
        },
      ];
    }),
    ...(withCli
      ? [
          surface('story, CLI', async (language) =>
            storyOf((await runCli<{ story: Story }>(port, ['story', id, '--language', language])).story),
          ),
        ]
      : []),
  ];
}

/** Reasons that Daybook words itself: on pages, and in lists of the API. */
export async function readReasons(port: number, language: ReaderLanguage): Promise<readonly string[]> {
  const paths = ['/', '/timeline?language=all', '/search?q=model&language=all', '/archive?language=all'];
  const pages = await Promise.all(paths.map((path) => get(port, pagePath(language, path))));
  const shown = pages.flatMap((page) =>
    [...page.matchAll(/<p class="why"[^>]*>\s*<b>[^<]*<\/b>([\s\S]*?)<\/p>/g)].map(([, text = '']) =>
      plain(text).trim(),
    ),
  );
  const lists = await Promise.all(
    ['/api/v1/items?limit=100', '/api/v1/archive/items?limit=100'].map((path) =>
      getJson<{ items: { id: string; reason: string | null }[] }>(port, `${path}&language=${language}`),
    ),
  );
  const items = lists.flatMap((list) => list.items);
  const single = await Promise.all(
    items
      .slice(0, 20)
      .map(({ id }) =>
        getJson<{ item: { reason: string | null } }>(port, `/api/v1/items/${id}?language=${language}`),
      ),
  );
  const stated = [...items, ...single.map(({ item }) => item)].flatMap(({ reason }) => reason ?? []);
  return [...shown, ...stated];
}
