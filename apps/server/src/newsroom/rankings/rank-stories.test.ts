import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus } from '../../../test/engine.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { addSources } from '../../ingest/sources/add-sources.ts';
import { settingsFor } from '../../ingest/sources/source.ts';
import { rankTopics } from '../../record/rankings/heat.ts';
import { readHeatCandidates } from './heat-candidate-store.ts';
import { createRanking } from './rank-stories.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let engine: TestEngine | undefined;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => store.drop());

type Draft = Parameters<typeof record.publish>[0];

async function openStory(...drafts: readonly Draft[]): Promise<readonly Id<'item'>[]> {
  const itemIds: Id<'item'>[] = [];
  for (const draft of drafts) itemIds.push(await record.publish(draft));
  valueOf(await record.publisher.openStory({ title: 'An event', itemIds }));
  return itemIds;
}

const rankings = () =>
  store.database
    .selectFrom('record.ranking')
    .leftJoin('record.ranking_entry', 'ranking_id', 'id')
    .select(['ranked_at', 'rank', 'item_id'])
    .orderBy('ranked_at')
    .orderBy('rank')
    .execute();

test('stories of independent owners are ranked in the next slot; reprints, signals alone and missed slots are not', async () => {
  const [signal, other] = await addSources(
    { database: store.database, clock, ids: record.ids, publisher: record.publisher },
    ['Chatter', 'Noise'].map((name) =>
      settingsFor(new URL(`http://${name}.example/feed`), { name, participation: 'signal', tier: 1 }),
    ),
  );
  const bySignal = (id: Id<'source'> | null | undefined, owner: string): Draft => ({
    source: { id: id ?? record.ids.next(), name: owner, owner, firstParty: false },
  });
  const [, second] = await openStory(
    { sourceName: 'A', hoursAgo: 3, score: 40 },
    { sourceName: 'B', hoursAgo: 2, score: 70 },
  );
  // Hotter than the story above if the reprint counted.
  const groupId = record.ids.next<'reading-group'>();
  await openStory(
    { sourceName: 'C', groupId, hoursAgo: 1 },
    { sourceName: 'D', groupId },
    { sourceName: 'E', groupId },
  );
  await openStory(bySignal(signal?.id, 'Chatter'), bySignal(other?.id, 'Noise'));
  // A signal adds heat to an editor's item and does not represent it.
  const [editorial] = await openStory({ sourceName: 'F', score: 1 }, bySignal(signal?.id, 'Chatter'));
  await openStory({ sourceName: 'A', hoursAgo: 47 }, { sourceName: 'B', hoursAgo: 49 });

  engine = await startTestEngine(store, { recurringTasks: [createRanking({ clock, ...record })] }, { clock });
  await untilStatus(store, 'rank-stories/2026-11-15T08:00', 'SUCCESS');
  const first = (await rankings()).map(({ rank, item_id }) => ({ rank, item_id }));
  expect(first).toEqual([
    { rank: 1, item_id: editorial },
    { rank: 2, item_id: second },
  ]);
  valueOf(await record.publisher.withdrawItem({ itemId: editorial as Id<'item'> }));
  clock.advance({ hours: 1 });
  await untilStatus(store, 'rank-stories/2026-11-15T09:00', 'SUCCESS');
  expect((await rankings()).slice(2)).toEqual([
    { ranked_at: '2026-11-15 09:00:00+00', rank: 1, item_id: second },
  ]);
}, 40_000);

test('a run that fails leaves the last ranking unchanged and is retried within its slot', async () => {
  clock.advance({ minutes: 5 });
  const before = await rankings();
  await store.asSuperuser(
    'ALTER TABLE record.ranking_evidence ADD CONSTRAINT broken CHECK (weight < 0) NOT VALID',
  );
  // The delay after a failure passes in real time.
  const ranking = { ...createRanking({ clock, ...record }), retryAfterMs: 0 };
  engine = await startTestEngine(store, { recurringTasks: [ranking] }, { clock });
  await untilStatus(store, 'rank-stories/2026-11-15T09:05', 'ERROR');
  expect(await rankings()).toEqual(before);
  await store.asSuperuser('ALTER TABLE record.ranking_evidence DROP CONSTRAINT broken');
  await untilStatus(store, 'rank-stories/2026-11-15T09:05', 'SUCCESS');
  expect((await rankings()).length).toBe(before.length + 1);
}, 40_000);

test('excluding items before ranking does not change the top ten', async () => {
  const item = fc.record({
    owner: fc.integer({ min: 0, max: 5 }),
    hoursAgo: fc.constantFrom(0, 0, 1, 12, 47.9),
  });
  const worlds = fc.array(fc.array(item, { minLength: 1, maxLength: 4 }), {
    minLength: 20,
    maxLength: 30,
  });
  const rules = { tierWeights: [1, 1, 1, 1], unknownTier: 3, countedMs: 48 * 3_600_000, ranksMax: 10 };
  for (const world of fc.sample(worlds, 3)) {
    clock.advance({ days: 3 });
    const candidates = [];
    for (const items of world) {
      const itemIds = await openStory(
        ...items.map(({ owner, hoursAgo }) => ({ sourceName: `${owner}`, hoursAgo })),
      );
      candidates.push({
        itemId: itemIds[0] as Id<'item'>,
        items: items.map(({ owner, hoursAgo }, at) => ({
          itemId: itemIds[at] as Id<'item'>,
          owner: `owner of ${owner}`,
          sourceName: `${owner}`,
          firstParty: false,
          weight: 1,
          reportedAt: addMs(clock.now(), -hoursAgo * 3_600_000),
        })),
      });
    }
    const evidence = (topics: ReturnType<typeof rankTopics>) =>
      topics.map(({ heat, items }) => ({ heat, items: items.map(({ itemId }) => itemId).sort() }));
    const read = await readHeatCandidates(store.database, clock.now(), rules);
    // The item that represents a topic decides only ties, so both use the first item's.
    const firstOf = new Map(
      candidates.flatMap(({ itemId, items }) => items.map((one) => [one.itemId, itemId])),
    );
    const same = read.map((one) => ({ ...one, itemId: firstOf.get(one.itemId) ?? one.itemId }));
    expect(evidence(rankTopics(same, clock.now()))).toEqual(evidence(rankTopics(candidates, clock.now())));
  }
}, 60_000);
