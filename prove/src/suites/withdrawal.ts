import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { HttpAnswer } from '../news/http-question.ts';
import { askOnce, askUntilNotBusy } from '../news/http-question.ts';
import type { NewsStage, RecordFactory } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord, issue, publishRanking } from '../news/news-world.ts';

const promisedMs = 1_000;
const attemptsMax = 40;
const attemptEveryMs = 150;

export const suite: Suite = {
  name: 'withdrawal',
  summary: 'a withdrawn item leaves every surface of three api processes',
  promise:
    'One second after an item is withdrawn no surface of any api process shows it: neither items, search, hot topics, its story, the reports that cited it, the mirror, the documents for agents, the feeds, the pages in either language, the pictures for previews nor, where it was the only report of its story, the sitemap, held copies included.',
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      await proveWithdrawals(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function proveWithdrawals(context: SuiteContext, stage: NewsStage): Promise<void> {
  await fillRecord(stage.factory, 60);
  const quiet = { DAYBOOK_RATE_PER_MINUTE: '1000000', DAYBOOK_RATE_BURST: '1000000' };
  const ports = await Promise.all([1, 2, 3].map(() => stage.startApi(quiet)));
  const rounds = context.quick ? 1 : 20;
  const counts = { looked: 0, missing: 0, shown: 0, slowestMs: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const placed = await placeEverywhere(stage.factory, round, ports[0] as number);
    const views = ports.flatMap((port) => placed.surfaces.map((surface) => ({ port, ...surface })));
    const missing = await showing(views, false);
    for (const { port, path } of missing) context.note(`round ${round}: port ${port} never showed ${path}`);
    counts.missing += missing.length;
    for (const itemId of placed.itemIds) valueOf(await stage.factory.publisher.withdrawItem({ itemId }));
    const goneAfterMs = await untilGone(views);
    const late = goneAfterMs <= promisedMs ? [] : await showing(views, true);
    for (const { port, path } of late) context.note(`round ${round}: port ${port} still shows ${path}`);
    counts.looked += views.length;
    counts.shown += goneAfterMs <= promisedMs ? 0 : Math.max(1, late.length);
    counts.slowestMs = Math.max(counts.slowestMs, goneAfterMs);
  }
  context.figure({ name: 'items withdrawn', value: rounds, unit: 'items' });
  context.figure({ name: 'surfaces watched, over three processes', value: counts.looked, unit: 'surfaces' });
  context.figure({
    name: 'surfaces that did not show the item before',
    value: counts.missing,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'surfaces that showed it a second after',
    value: counts.shown,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'longest time until all three were clean, looking included',
    value: Math.round(counts.slowestMs),
    unit: 'ms',
  });
}

/** An address, and whether an answer of it shows what was placed. */
interface Surface {
  readonly path: string;
  readonly shows: (answer: HttpAnswer) => boolean;
}

interface Placed {
  /** One that every surface shows, and one that is the only report of its story. */
  readonly itemIds: readonly Id<'item'>[];
  readonly surfaces: readonly Surface[];
}

/** An item that every surface has to show, under a word that stands nowhere else. */
async function placeEverywhere(factory: RecordFactory, round: number, port: number): Promise<Placed> {
  const word = `zanzibar${String(round).padStart(4, '0')}`;
  // Longer than what is searched for, because an answer repeats its query.
  const marker = `${word} affair`;
  const before = await snapshotCursor(port);
  const itemId = await factory.publishSelected({ title: `The ${marker}` });
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
  await issue(factory, 'daily', labels.daily, [itemId, second]);
  await issue(factory, 'weekly', labels.weekly, [itemId, second]);
  await issue(factory, 'monthly', labels.monthly, [itemId, second]);
  const place = { word, itemId, storyId, before, ...labels };
  return {
    itemIds: [itemId, alone],
    surfaces: [
      ...pathsOf(place).map((path) => ({ path, shows: containing(marker) })),
      ...(await Promise.all(picturesOf(place).map((path) => pictureAsItIs(port, path)))),
      { path: '/sitemap.xml', shows: containing(onlyStory) },
    ],
  };
}

/** A search marks what it found, in the middle of the words that are looked for. */
function containing(marker: string): Surface['shows'] {
  return ({ text }) => text.replaceAll(/<\/?mark>/g, '').includes(marker);
}

/** Words in a picture cannot be searched for: as long as it is the same picture, they are in it. */
async function pictureAsItIs(port: number, path: string): Promise<Surface> {
  const drawn = await askUntilNotBusy(port, path);
  if (drawn.status !== 200) throw new Error(`${path} answered ${drawn.status}`);
  return { path, shows: ({ headers, status }) => status === 200 && headers.etag === drawn.headers.etag };
}

async function snapshotCursor(port: number): Promise<string> {
  const answer = await askUntilNotBusy(port, '/api/v1/selected/snapshot?limit=1');
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
  const { word, itemId, storyId, before, daily, weekly, monthly } = place;
  const items = ['', '?mode=all', '?window=24h', '?by=published', '?category=ai-models', '?limit=100'];
  return [
    ...[...items, `?q=${word}`, `?mode=all&q=${word}`].map((query) => `/api/v1/items${query}`),
    '/api/v1/hot-topics',
    `/api/v1/stories/${storyId}`,
    ...['dailies', 'weeklies', 'monthlies'].map((plural) => `/api/v1/${plural}/latest`),
    `/api/v1/dailies/${daily}`,
    `/api/v1/weeklies/${weekly}`,
    `/api/v1/monthlies/${monthly}`,
    '/api/v1/selected/snapshot?limit=1000',
    `/api/v1/selected/changes?cursor=${before}`,
    ...['latest', 'hot', 'daily', 'weekly', 'monthly'].map((name) => `/agent/${name}.md`),
    `/agent/search.md?q=${word}`,
    `/agent/stories/${storyId}.md`,
    `/agent/daily/${daily}.md`,
    `/agent/weekly/${weekly}.md`,
    `/agent/monthly/${monthly}.md`,
    '/feeds/selected.atom',
    '/feeds/selected.json',
    ...pages({ word, itemId, storyId, daily, weekly, monthly }),
  ];
}

/** Each says how many reports there are, or what the item is called. */
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
    '/timeline',
    `/search?q=${word}`,
    `/items/${itemId}`,
    `/story/${storyId}`,
    '/hot',
    '/daily',
    `/daily/${daily}`,
    `/weekly/${weekly}`,
    `/monthly/${monthly}`,
  ];
  return ['/', '/zh', ...paths, ...paths.map((path) => `/zh${path}`)];
}

interface View extends Surface {
  readonly port: number;
}

/** Those that show the word, or those that do not; before the withdrawal each is asked until its copy is current. */
async function showing(views: readonly View[], shown: boolean): Promise<readonly View[]> {
  const found = await Promise.all(
    views.map(async (view) => {
      for (let attempt = 0; ; attempt += 1) {
        const holds = await isShown(view);
        if (holds || shown || attempt >= attemptsMax) return holds === shown;
        await delay(attemptEveryMs);
      }
    }),
  );
  return views.filter((_, index) => found[index]);
}

/** Asks each view until it is clean; how long after the withdrawal the last of these looks began. */
async function untilGone(views: readonly View[]): Promise<number> {
  const withdrawnAt = performance.now();
  const looks = views.map(async (view) => {
    for (;;) {
      const lookedAt = performance.now() - withdrawnAt;
      if (!(await isShown(view))) return lookedAt;
      if (lookedAt > promisedMs) return lookedAt;
      await delay(20);
    }
  });
  return Math.max(...(await Promise.all(looks)));
}

async function isShown({ port, path, shows }: View): Promise<boolean> {
  return shows(await askOnce(port, path));
}
