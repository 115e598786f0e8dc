import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { hourMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { ProblemError } from '../../../apps/server/src/foundation/problem.ts';
import type { ItemsDeps } from '../../../apps/server/src/news/items/items-representation.ts';
import { itemsResource } from '../../../apps/server/src/news/items/items-representation.ts';
import type { RawItemsQuery } from '../../../apps/server/src/news/items/items-schema.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { hoursBefore } from '../../../apps/server/test/factories/record-factory.ts';
import { WalkModel, readAllSurfaces } from '../news/cursor-model.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { categories } from '../news/news-world.ts';

const itemsMax = 150;

export const suite: Suite = {
  name: 'cursor',
  summary:
    'Paging through items skips and repeats no item while items are published, revised, selected and withdrawn.',
  headline: 'items that a walk must contain',
  promise:
    'Clients page through items to the end while items are published, revised, regrouped, selected and withdrawn between two pages, also items of the same microsecond. A client receives every item that matched during the whole walk with an unchanged sort key. It receives no item twice whose key did not change.',
  measuresNoTime: true,
  run: async (context) => {
    const clock = createTestClock('2026-11-15T12:00:00.000Z');
    const stage = await setNewsStage(context.root, { clock });
    try {
      await proveWalks(context, stage, clock);
    } finally {
      await stage.remove();
    }
  },
};

type TestClock = ReturnType<typeof createTestClock>;
type Random = () => number;

async function proveWalks(context: SuiteContext, stage: NewsStage, clock: TestClock): Promise<void> {
  const random = seededRandom(42);
  const deps: ItemsDeps = {
    record: stage.record,
    storyLayer: true,
    clock,
    baseUrl: 'https://daybook.example',
    language: 'en',
  };
  const newsroom = new Newsroom(stage, clock, random);
  for (let index = 0; index < 120; index += 1) await newsroom.publish();
  const totals = { walks: 0, pages: 0, changes: 0, expected: 0, skipped: 0, repeated: 0, outrun: 0 };
  const walks = context.quick ? 30 : 300;
  for (let index = 0; index < walks; index += 1) {
    const outcome = await walk(deps, stage, newsroom, { query: randomQuery(random), random, clock });
    totals.walks += 1;
    totals.pages += outcome.pages;
    totals.changes += outcome.changes;
    totals.expected += outcome.expected;
    totals.skipped += outcome.skipped;
    totals.repeated += outcome.repeated;
    totals.outrun += outcome.outrun ? 1 : 0;
    if (outcome.skipped + outcome.repeated > 0) context.note(`walk ${index}: ${JSON.stringify(outcome)}`);
    await newsroom.replenish(90);
  }
  context.figure({ name: 'walks to the last page', value: totals.walks, unit: 'walks' });
  context.figure({ name: 'pages read', value: totals.pages, unit: 'pages' });
  context.figure({ name: 'decisions between pages', value: totals.changes, unit: 'decisions' });
  context.figure({
    name: 'walks that ended because the anchor left the window',
    value: totals.outrun,
    unit: 'walks',
  });
  context.figure({ name: 'items that a walk must contain', value: totals.expected, unit: 'items' });
  context.figure({ name: 'items skipped', value: totals.skipped, unit: 'items', goal: { exactly: 0 } });
  context.figure({ name: 'items repeated', value: totals.repeated, unit: 'items', goal: { exactly: 0 } });
}

interface Outcome {
  readonly pages: number;
  readonly changes: number;
  readonly expected: number;
  readonly skipped: number;
  readonly repeated: number;
  readonly outrun: boolean;
}

async function walk(
  deps: ItemsDeps,
  stage: NewsStage,
  newsroom: Newsroom,
  { query, random, clock }: { query: Omit<RawItemsQuery, 'limit'>; random: Random; clock: TestClock },
): Promise<Outcome> {
  const model = new WalkModel();
  const shown: string[] = [];
  let [pages, changes] = [0, 0];
  model.observe(await readAllSurfaces(stage.newsReader, { ...query, limit: 1 }, clock.now()));
  for (let cursor: string | null = null; ;) {
    const limit = 1 + Math.floor(random() * 12);
    const page = await readPage(deps, { ...query, limit, ...(cursor === null ? {} : { cursor }) });
    if (page === 'outrun') return { pages, changes, expected: 0, skipped: 0, repeated: 0, outrun: true };
    pages += 1;
    shown.push(...page.ids);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
    for (let count = Math.floor(random() * 4); count > 0; count -= 1, changes += 1) {
      await newsroom.decide();
      model.observe(await readAllSurfaces(stage.newsReader, { ...query, limit: 1 }, clock.now()));
    }
  }
  const [skipped, repeated] = [model.skipped(shown), model.repeated(shown)];
  return {
    pages,
    changes,
    expected: model.expected,
    skipped: skipped.length,
    repeated: repeated.length,
    outrun: false,
  };
}

async function readPage(
  deps: ItemsDeps,
  raw: RawItemsQuery,
): Promise<{ readonly ids: readonly string[]; readonly nextCursor: string | null } | 'outrun'> {
  try {
    const { body } = await itemsResource(deps, raw).build();
    const { items, page } = JSON.parse(body.toString()) as {
      items: { id: string }[];
      page: { nextCursor: string | null };
    };
    return { ids: items.map(({ id }) => id), nextCursor: page.nextCursor };
  } catch (error) {
    if (error instanceof ProblemError && error.definition.code === 'invalid_cursor') return 'outrun';
    throw error;
  }
}

function randomQuery(random: Random): Omit<RawItemsQuery, 'limit'> {
  return {
    mode: random() < 0.6 ? 'all' : 'selected',
    window: random() < 0.7 ? '7d' : '24h',
    by: random() < 0.5 ? 'timeline' : 'published',
    ...(random() < 0.3 ? { category: 'paper' as const } : {}),
    ...(random() < 0.4 ? { q: random() < 0.5 ? '模型' : 'model' } : {}),
  };
}

/** Decides at random, through the same publisher as the newsroom, with many items in the same microsecond. */
class Newsroom {
  readonly #stage: NewsStage;
  readonly #clock: TestClock;
  readonly #random: Random;
  readonly #ids: Id<'item'>[] = [];
  readonly #groups: Id<'reading-group'>[] = [];

  constructor(stage: NewsStage, clock: TestClock, random: Random) {
    this.#stage = stage;
    this.#clock = clock;
    this.#random = random;
  }

  async publish(): Promise<void> {
    const { factory } = this.#stage;
    const discoveredAt = this.#instant();
    const group = this.#random() < 0.3 ? this.#pick(this.#groups) : undefined;
    const published = await factory.publisher.publishItem(
      factory.draft({
        title: this.#random() < 0.5 ? 'A model 模型' : 'Nothing of the kind',
        category: this.#random() < 0.5 ? 'paper' : (this.#pick(categories) ?? 'tip'),
        discoveredAt,
        publishedAt: this.#random() < 0.5 ? null : this.#earlier(discoveredAt),
        ...(group === undefined ? {} : { groupId: group }),
      }),
    );
    if (!published.ok) return;
    this.#ids.push(published.value.itemId);
    this.#groups.push(published.value.groupId);
    if (this.#random() < 0.5)
      await factory.publisher.selectItem({ itemId: published.value.itemId, reason: 'It matters.' });
  }

  /** A refusal (already withdrawn, already selected) is as good as a decision: nothing changed. */
  async decide(): Promise<void> {
    const { publisher } = this.#stage.factory;
    const itemId = this.#pick(this.#ids);
    const dice = this.#random();
    // Longer walks mean more decisions, so without a bound the record would grow faster and faster.
    const crowded = this.#ids.length > itemsMax;
    if (itemId === undefined || (dice < 0.3 && !crowded)) return this.publish();
    if (dice < 0.45) {
      await publisher.withdrawItem({ itemId });
      this.#ids.splice(this.#ids.indexOf(itemId), 1);
    } else if (dice < 0.6)
      await publisher.reviseItem({ itemId, changes: { title: `Revised model ${dice}` } });
    else if (dice < 0.7) await publisher.reviseItem({ itemId, changes: { category: 'tip' } });
    else if (dice < 0.8) await publisher.selectItem({ itemId, reason: `Because ${dice}` });
    else if (dice < 0.87) await publisher.unselectItem({ itemId });
    else if (dice < 0.94) {
      const groupId = this.#pick(this.#groups);
      if (groupId !== undefined) await publisher.regroupItem({ itemId, groupId });
    } else this.#clock.advance({ minutes: Math.floor(this.#random() * 40) });
    return undefined;
  }

  /** Withdrawals and the window take items away; a walk needs some. */
  async replenish(count: number): Promise<void> {
    const seen = await readAllSurfaces(
      this.#stage.newsReader,
      { mode: 'all', window: '7d', by: 'timeline', limit: 1 },
      this.#clock.now(),
    );
    const standing = [...seen.values()].filter(({ matches }) => matches).length;
    for (let missing = count - standing; missing > 0; missing -= 1) await this.publish();
  }

  /** One of a few instants an hour or less apart, so that ties are common. */
  #instant(): EpochMicroseconds {
    const hour = hourMicroseconds;
    const now = (this.#clock.now() / hour) * hour;
    const back = Math.floor(this.#random() ** 2 * 170);
    return hoursBefore(now as EpochMicroseconds, back);
  }

  #earlier(instant: EpochMicroseconds): EpochMicroseconds {
    return hoursBefore(instant, Math.floor(this.#random() ** 3 * 100));
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }
}
