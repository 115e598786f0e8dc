import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { AnyClient } from '../mcp/mcp-clients.ts';
import { askUntilNotBusy } from '../news/http-question.ts';

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
  readonly reports: readonly { readonly id: string }[];
}

const cli = fileURLToPath(new URL('../../../packages/cli/src/bin/daybook.ts', import.meta.url));
const run = promisify(execFile);

export async function get(port: number, path: string): Promise<string> {
  const { status, text } = await askUntilNotBusy(port, path);
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

function sourcesIn(text: string): { readonly sources?: number } {
  const found = /([\d,]+) (?:independent source|个独立来源)/.exec(text)?.[1];
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
      const isEqual = story.reports.every((report) => text.includes(report.id));
      return isEqual ? storyOf(story).map((one) => inMarkdown(text, one)) : [];
    }),
    surface('story, feed', async (language) => {
      const feed = await getJson<{ title: string; items: { id: string }[] }>(
        port,
        `/feeds/stories/${id}.json?language=${language}`,
      );
      const reports = feed.items.map((item) => ({ key: `report ${item.id}`, title: '' }));
      return [{ key: id, title: feed.title.replace('Daybook: ', '') }, ...reports];
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

/** Lists of one language: every entry is in it. */
export function listSurfaces({ port }: Readers): readonly Surface[] {
  const surface = (name: string, read: Surface['read']): Surface => ({ name, isSameForAll: false, read });
  const timeline = /<li data-entry="([^"]+)" data-key[\s\S]*?<h\d[^>]*><a href="[^"]+">([\s\S]*?)<\/a>/g;
  const listed = (page: string): readonly Shown[] =>
    [...page.matchAll(timeline)].map(([, key = '', title = '']) => ({ key, title: plain(title) }));
  return [
    surface('items of a language, API', async (language) =>
      (
        await getJson<{ items: { id: string; title: string }[] }>(
          port,
          `/api/v1/items?limit=100&language=${language}`,
        )
      ).items.map(({ id, title }) => ({ key: id, title })),
    ),
    surface('front page, timeline', async (language) => listed(await get(port, pagePath(language, '/')))),
    surface('timeline page', async (language) => {
      const page = await get(port, pagePath(language, '/timeline'));
      // Reports of the other language follow below their own heading.
      return listed(page.split('id="other-language"')[0] ?? '');
    }),
  ];
}

/** Reasons on a page that Daybook words itself. */
export async function readReasons(port: number, language: ReaderLanguage): Promise<readonly string[]> {
  const pages = await Promise.all(
    ['/', '/timeline?language=all'].map((path) => get(port, pagePath(language, path))),
  );
  return pages.flatMap((page) =>
    [...page.matchAll(/<p class="why"[^>]*>\s*<b>[^<]*<\/b>([\s\S]*?)<\/p>/g)].map(([, text = '']) =>
      plain(text).trim(),
    ),
  );
}
