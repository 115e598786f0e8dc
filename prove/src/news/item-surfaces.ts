import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { HttpAnswer } from './http-question.ts';
import { requestUntilNotBusy } from './http-question.ts';
import type { RecordFactory } from './news-stage.ts';
import { issue, publishRanking } from './news-world.ts';

/** An address, and whether an answer of it shows what was placed. */
export interface Surface {
  readonly path: string;
  readonly shows: (answer: HttpAnswer) => boolean;
}

export interface Placed {
  /** An item that every surface shows, one that is the only item of its story, and one that only Chinese readers get. */
  readonly itemIds: readonly [Id<'item'>, Id<'item'>, Id<'item'>];
  readonly surfaces: readonly Surface[];
  /** These show the third item. */
  readonly chineseSurfaces: readonly Surface[];
}

/** An item that every surface has to show, with a word that occurs nowhere else. */
export async function placeEverywhere(factory: RecordFactory, round: number, port: number): Promise<Placed> {
  const word = `zanzibar${String(round).padStart(4, '0')}`;
  // Longer than what is searched for, because an answer repeats its query.
  const marker = `${word} affair`;
  const before = await snapshotCursor(port);
  const itemId = await factory.publishSelected({ title: `The ${marker}`, language: 'en' });
  const second = await factory.publish({ sourceName: 'Another' });
  const { storyId } = valueOf(
    await factory.publisher.openStory({ title: 'An affair', itemIds: [itemId, second] }),
  );
  await publishRanking(factory, [itemId, second]);
  const alone = await factory.publish({ title: 'Told once' });
  const { storyId: onlyStory } = valueOf(
    await factory.publisher.openStory({ title: 'Told once', itemIds: [alone] }),
  );
  const labels = labelsOf(round);
  const chinese = await placeChinese(factory, round);
  for (const kind of ['daily', 'weekly', 'monthly'] as const)
    await issue(factory, kind, labels[kind], [itemId, chinese.entryId, second], chinese.contents);
  const place = { word, itemId, storyId, before, ...labels };
  return {
    itemIds: [itemId, alone, chinese.itemId],
    surfaces: [
      ...pathsOf(place).map((path) => ({ path, shows: containing(marker) })),
      ...(await Promise.all(picturesOf(place).map((path) => pictureAsItIs(port, path)))),
      { path: '/sitemap.xml', shows: containing(onlyStory) },
    ],
    chineseSurfaces: chinesePaths(chinese, labels).map((path) => ({
      path,
      shows: containing(chinese.marker),
    })),
  };
}

/** A Chinese report of a story whose other report is English: only Chinese readers get its words. */
async function placeChinese(factory: RecordFactory, round: number) {
  const word = `桑给巴尔${round}`;
  // Longer than what is searched for, because an answer repeats its query.
  const marker = `${word}号事件`;
  const entryId = await factory.publishSelected({ title: 'An English report of an affair', language: 'en' });
  const itemId = await factory.publish({ title: marker, language: 'zh-Hans', sourceName: '北麓' });
  const { storyId } = valueOf(
    await factory.publisher.openStory({ title: 'An English report', itemIds: [entryId, itemId] }),
  );
  const text = `关于${marker}。`;
  const otherDigest = { text, sentences: [{ text, cites: [itemId] }], contradictions: [] };
  valueOf(await factory.publisher.reviseStory({ storyId, changes: { otherDigest } }));
  const words = { headline: marker, overview: text, headlineCites: [itemId], overviewCites: [itemId] };
  const contents = {
    versions: [{ language: 'zh' as const, ...words }],
    reports: [{ language: 'zh' as const, entryId, itemId }],
  };
  return { word, marker, entryId, itemId, storyId, contents };
}

/** Where Chinese readers get the story in Chinese words. */
function chinesePaths(
  { storyId, word }: { readonly storyId: string; readonly word: string },
  labels: ReturnType<typeof labelsOf>,
): readonly string[] {
  const kinds = [
    ['daily', 'dailies'],
    ['weekly', 'weeklies'],
    ['monthly', 'monthlies'],
  ] as const;
  return [
    `/api/v1/stories/${storyId}?language=zh`,
    `/agent/stories/${storyId}.md?language=zh`,
    `/feeds/stories/${storyId}.atom?language=zh`,
    `/zh/story/${storyId}`,
    '/zh',
    ...['/timeline?mode=all', `/search?q=${encodeURIComponent(word)}`].flatMap((path) => [
      path,
      `/zh${path}`,
    ]),
    '/api/v1/items?mode=all&language=zh',
    '/feeds/items.json?mode=all&language=zh',
    ...['/feeds/search.atom', '/agent/search.md'].map(
      (path) => `${path}?q=${encodeURIComponent(word)}&language=zh`,
    ),
    ...kinds.flatMap(([kind, plural]) => [
      `/api/v1/${plural}?language=zh`,
      `/api/v1/${plural}/latest?language=zh`,
      `/api/v1/${plural}/${labels[kind]}?language=zh`,
      `/agent/${kind}.md?language=zh`,
      `/agent/${kind}/${labels[kind]}.md?language=zh`,
      `/feeds/${kind}.atom?language=zh`,
      `/feeds/${kind}.json?language=zh`,
      `/zh/${kind}`,
      `/zh/${kind}/${labels[kind]}`,
      `/zh/${kind}/archive`,
    ]),
  ];
}

/** A search marks what it found, and a headline may break, in the middle of the words that are looked for. */
function containing(marker: string): Surface['shows'] {
  return ({ text }) => text.replaceAll(/<\/?mark>|<wbr \/>/g, '').includes(marker);
}

/** Words in a picture cannot be searched for: as long as it is the same picture, they are in it. */
async function pictureAsItIs(port: number, path: string): Promise<Surface> {
  const drawn = await requestUntilNotBusy(port, path);
  if (drawn.status !== 200) throw new Error(`${path} answered ${drawn.status}`);
  return { path, shows: ({ headers, status }) => status === 200 && headers.etag === drawn.headers.etag };
}

async function snapshotCursor(port: number): Promise<string> {
  const answer = await requestUntilNotBusy(port, '/api/v1/selected/snapshot?limit=1');
  return (JSON.parse(answer.text) as { cursor: string }).cursor;
}

/** Labels that are newer from round to round, so that the newest edition is always this round's. */
function labelsOf(round: number): { daily: string; weekly: string; monthly: string } {
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    daily: `2027-${two(1 + Math.floor(round / 28))}-${two(1 + (round % 28))}`,
    weekly: `${2027 + Math.floor(round / 52)}-W${two(1 + (round % 52))}`,
    monthly: `${2027 + Math.floor(round / 12)}-${two(1 + (round % 12))}`,
  };
}

function pathsOf(place: {
  readonly word: string;
  readonly itemId: string;
  readonly storyId: string;
  readonly before: string;
  readonly daily: string;
  readonly weekly: string;
  readonly monthly: string;
}): readonly string[] {
  const { word, itemId, before } = place;
  const items = ['', '?mode=all', '?window=24h', '?by=published', '?category=ai-models', '?limit=100'];
  return [
    ...[...items, `?q=${word}`, `?mode=all&q=${word}`].map((query) => `/api/v1/items${query}`),
    `/api/v1/items/${itemId}`,
    '/api/v1/selected/snapshot?limit=1000',
    `/api/v1/selected/changes?cursor=${before}`,
    ...['', '?language=en', '?language=zh'].flatMap((query) =>
      inLanguages(place).map((path) => `${path}${query}`),
    ),
    ...['', '?language=en'].flatMap((query) =>
      ['/agent/latest.md', '/feeds/selected.atom', '/feeds/items.rss'].map((path) => `${path}${query}`),
    ),
    ...['', '&language=en'].flatMap((query) =>
      ['/agent/search.md', '/feeds/search.json'].map((path) => `${path}?q=${word}${query}`),
    ),
    '/feeds/selected.json',
    ...pages(place),
  ];
}

/** Addresses with a language, or without. */
function inLanguages({
  storyId,
  daily,
  weekly,
  monthly,
}: Readonly<Record<'storyId' | 'daily' | 'weekly' | 'monthly', string>>): readonly string[] {
  return [
    '/api/v1/hot-topics',
    `/api/v1/stories/${storyId}`,
    ...['dailies', 'weeklies', 'monthlies'].map((plural) => `/api/v1/${plural}/latest`),
    `/api/v1/dailies/${daily}`,
    `/api/v1/weeklies/${weekly}`,
    `/api/v1/monthlies/${monthly}`,
    ...['hot', 'daily', 'weekly', 'monthly'].map((name) => `/agent/${name}.md`),
    `/agent/stories/${storyId}.md`,
    `/agent/daily/${daily}.md`,
    `/agent/weekly/${weekly}.md`,
    `/agent/monthly/${monthly}.md`,
    `/feeds/stories/${storyId}.json`,
  ];
}

/** Each shows the number of items or the title of the item. */
function picturesOf({ itemId, storyId, daily }: Readonly<Record<string, string>>): readonly string[] {
  return [`/og/items/${itemId}.png`, `/og/story/${storyId}.png`, `/og/daily/${daily}.png`];
}

function pages({
  word,
  itemId,
  storyId,
  daily,
  weekly,
  monthly,
}: Readonly<Record<string, string>>): readonly string[] {
  const paths = [
    '/timeline?language=all',
    `/search?q=${word}`,
    '/archive',
    `/archive?q=${word}`,
    `/items/${itemId}`,
    `/story/${storyId}`,
    '/hot',
    '/daily',
    `/daily/${daily}`,
    `/weekly/${weekly}`,
    `/monthly/${monthly}`,
  ];
  return [
    '/',
    '/zh',
    '/?language=all',
    '/timeline',
    '/zh/timeline',
    ...paths,
    ...paths.map((path) => `/zh${path}`),
  ];
}
