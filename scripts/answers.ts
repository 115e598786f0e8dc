import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type { Get } from './answers-world.ts';
import { withAnswersWorld } from './answers-world.ts';

// `record FILE` writes every response with status 200 of the news API and the feeds, over a simulated world that is
// the same in every run; `compare A B` prints the differences between two such files and exits with 1 if any exist.

interface RecordedAnswer {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly sha256: string;
  readonly body: string;
}

interface Page {
  readonly page?: { readonly nextCursor: string | null };
  readonly nextPage?: string | null;
  readonly cursor?: string;
}

/** Paths of the API description. */
type Paths = Readonly<Record<string, unknown>>;

const headerNames = ['content-type', 'etag', 'cache-control', 'location', 'vary'];
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Where responses contain values for path parameters. */
const mentions: Readonly<Record<string, RegExp>> = {
  id: new RegExp(`/items/(${uuid})`, 'g'),
  publicId: new RegExp(`/story/(${uuid})`, 'g'),
  date: /\/daily\/(\d{4}-\d\d-\d\d)/g,
  week: /\/weekly\/(\d{4}-W\d\d)/g,
  month: /\/monthly\/(\d{4}-\d\d)(?!-)/g,
  category: /"category":"([a-z-]+)"/g,
};

const searches = ['model', 'open weights', '模型', '发布'].map((word) => `q=${encodeURIComponent(word)}`);
const itemFilters = [
  ...['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'].map((name) => `category=${name}`),
  'language=en',
  'language=zh',
  'by=published',
  'window=24h&limit=20',
  'limit=100',
  ...searches,
];

/** Requests that no response links to: filters, page sizes and searches. */
const firstPaths: readonly string[] = [
  '/sources.opml',
  ...['selected', 'all'].flatMap((mode) =>
    itemFilters.map((filter) => `/api/v1/items?mode=${mode}&${filter}`),
  ),
  ...['/agent/search.md', '/feeds/search.atom', '/feeds/search.json'].flatMap((path) =>
    searches.map((search) => `${path}?${search}`),
  ),
  ...['dailies', 'weeklies', 'monthlies', 'selected/snapshot', 'corrections', 'sources'].map(
    (list) => `/api/v1/${list}?limit=3`,
  ),
];

async function record(file: string): Promise<void> {
  const answers = new Map<string, RecordedAnswer>();
  await withAnswersWorld(async (get, changes) => {
    const { paths } = (await get('/openapi-v1.json')).json() as { paths: Paths };
    const plain = Object.keys(paths).filter((path) => !/\{|\/search\./.test(path));
    const waiting = new Set([...plain, ...firstPaths, changes]);
    for (const path of waiting) {
      const answer = await ask(get, path);
      if (answer.status !== 200) continue;
      answers.set(path, answer);
      for (const next of [...nextPages(answer), ...mentioned(answer.body, paths)]) waiting.add(next);
    }
    requireEveryPath(paths, [...answers.keys()]);
  });
  const sorted = [...answers.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  writeFileSync(file, `${sorted.map((answer) => JSON.stringify(answer)).join('\n')}\n`);
  console.log(`${sorted.length} answers in ${file}`);
}

async function ask(get: Get, path: string): Promise<RecordedAnswer> {
  const { status, headers, body, text } = await get(path);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const recorded = Object.fromEntries(headerNames.map((name) => [name, headers[name]?.toString() ?? null]));
  return { path, status, headers: recorded, sha256, body: text };
}

/** The described paths with every value in the body. */
function mentioned(body: string, paths: Paths): readonly string[] {
  return Object.keys(paths).flatMap((path) => {
    const parameter = /\{(\w+)\}/.exec(path)?.[1];
    if (parameter === undefined) return [];
    const mention = mentions[parameter];
    if (mention === undefined)
      throw new Error(`scripts/answers.ts has no values for {${parameter}} of ${path}`);
    const values = new Set(Array.from(body.matchAll(mention), ([, value]) => value ?? ''));
    return [...values].map((value) => path.replace(`{${parameter}}`, value));
  });
}

/** The next page of a list, of the snapshot or of the changes. */
function nextPages({ path, body }: RecordedAnswer): readonly string[] {
  if (!path.startsWith('/api/')) return [];
  const { page, nextPage, cursor } = JSON.parse(body) as Page;
  const next = { cursor: path.includes('/changes') ? cursor : page?.nextCursor, page: nextPage };
  return Object.entries(next).flatMap(([name, value]) => {
    const url = new URL(path, 'http://localhost');
    url.searchParams.set(name, value ?? '');
    return typeof value === 'string' ? [url.pathname + url.search] : [];
  });
}

/** A recording without a response of a described path would compare as equal although it shows nothing. */
function requireEveryPath(paths: Paths, answered: readonly string[]): void {
  for (const path of Object.keys(paths)) {
    const form = new RegExp(`^${RegExp.escape(path).replaceAll(/\\\{\w+\\\}/g, '[^/?]+')}(?:\\?|$)`);
    if (!answered.some((one) => form.test(one))) throw new Error(`no answer with status 200 for ${path}`);
  }
}

function compare(one: string, other: string): void {
  const [before, after] = [readRecording(one), readRecording(other)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  let differing = 0;
  for (const path of paths) {
    const found = differences(before.get(path), after.get(path));
    if (found.length === 0) continue;
    differing += 1;
    console.log(`${path}: ${found.join('; ')}`);
  }
  console.log(`${paths.length} answers compared, ${differing} differ`);
  process.exitCode = differing === 0 ? 0 : 1;
}

function readRecording(file: string): ReadonlyMap<string, RecordedAnswer> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as RecordedAnswer).map((one) => [one.path, one]));
}

function differences(
  before: RecordedAnswer | undefined,
  after: RecordedAnswer | undefined,
): readonly string[] {
  if (before === undefined) return ['only in the second recording'];
  if (after === undefined) return ['only in the first recording'];
  const found = before.status === after.status ? [] : [`status ${before.status} → ${after.status}`];
  for (const name of headerNames) {
    const [old, now] = [before.headers[name] ?? 'none', after.headers[name] ?? 'none'];
    if (old !== now) found.push(`${name} ${old} → ${now}`);
  }
  if (before.sha256 === after.sha256) return found;
  let at = 0;
  while (before.body[at] === after.body[at]) at += 1;
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
  return [...found, `body from character ${at}: ${part(before.body)} → ${part(after.body)}`];
}

const [command, one, other] = process.argv.slice(2);
if (command === 'record' && one !== undefined) await record(one);
else if (command === 'compare' && one !== undefined && other !== undefined) compare(one, other);
else throw new Error('npm run answers -- record FILE | compare FILE FILE');
