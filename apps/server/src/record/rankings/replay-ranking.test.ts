import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs, epochMicroseconds } from '../../foundation/instant.ts';
import { replayRanking } from './replay-ranking.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());
beforeEach(() => clock.advance({ minutes: 5 }));

/** Two topics; the heat of neither is a round number. */
async function publishRanking() {
  const itemIds = await Promise.all(Array.from({ length: 4 }, () => record.publish()));
  const item = (at: number, hoursAgo: number) => ({
    itemId: itemIds[at] as Id<'item'>,
    owner: `owner ${at}`,
    sourceName: `Source ${at}`,
    firstParty: at === 0,
    weight: 0.7,
    reportedAt: hoursBefore(clock.now(), hoursAgo),
  });
  const candidates = [
    { itemId: itemIds[3] as Id<'item'>, items: [item(3, 7), item(2, 11)] },
    { itemId: itemIds[0] as Id<'item'>, items: [item(1, 5), item(0, 0.3)] },
  ];
  // Later than its five minutes by the duration of a run.
  const rankedAt = epochMicroseconds(clock.now() + 123_456n);
  const { rankingId } = valueOf(await record.publisher.publishRanking({ candidates, rankedAt }));
  return { rankingId, rankedAt, itemIds: itemIds as readonly Id<'item'>[] };
}

const outcomeOf = async (which: Parameters<typeof replayRanking>[1]) =>
  (await replayRanking(store.database, which))?.outcome;

test('a ranking is reproduced byte for byte after its items were revised, moved and withdrawn', async () => {
  const { rankingId, rankedAt, itemIds } = await publishRanking();
  const [first, second, third] = itemIds as [Id<'item'>, Id<'item'>, Id<'item'>];
  const before = await replayRanking(store.database, rankingId);
  expect(before).toEqual({ rankedAt, outcome: 'same', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  valueOf(await record.publisher.reviseItem({ itemId: first, changes: { title: 'Other', score: 3 } }));
  valueOf(await record.publisher.openStory({ title: 'Other', itemIds: [first, third] }));
  valueOf(await record.publisher.withdrawItem({ itemId: second }));
  expect(await replayRanking(store.database, rankingId)).toEqual(before);
});

test('the ranking of a time is found, including by the milliseconds that the API shows', async () => {
  const { rankedAt } = await publishRanking();
  const shown = epochMicroseconds(rankedAt - (rankedAt % 1_000n));
  clock.advance({ minutes: 5 });
  await publishRanking();
  for (const at of [shown, rankedAt, addMs(rankedAt, 299_000)])
    expect(await replayRanking(store.database, at)).toMatchObject({ rankedAt, outcome: 'same' });
  expect(await replayRanking(store.database, addMs(shown, -1))).not.toMatchObject({ rankedAt });
});

test.for([
  `UPDATE record.ranking_evidence SET weight = weight + 1e-15 WHERE rank = 2 AND owner = 'owner 2' AND ranking_id = $1`,
  `UPDATE record.ranking_evidence SET reported_at = reported_at - interval '1 us' WHERE rank = 1 AND owner = 'owner 1' AND ranking_id = $1`,
  `UPDATE record.ranking_evidence SET source_name = 'Another' WHERE owner = 'owner 3' AND ranking_id = $1`,
  `DELETE FROM record.ranking_evidence WHERE owner = 'owner 3' AND ranking_id = $1`,
  `UPDATE record.ranking_entry SET heat = heat * (1 + 2.3e-16::double precision) WHERE rank = 1 AND ranking_id = $1`,
  `DELETE FROM record.ranking_entry WHERE rank = 2 AND ranking_id = $1`,
  `UPDATE record.ranking SET ranked_at = ranked_at + interval '1 us' WHERE id = $1`,
])('one that was changed is not the same: %s', async (fault) => {
  const { rankingId } = await publishRanking();
  await store.asSuperuser(fault, [rankingId]);
  expect(await outcomeOf(rankingId)).toBe('different');
});

test('a ranking of another formula is not compared; one without a hash is compared with its entries', async () => {
  const { rankingId } = await publishRanking();
  await store.asSuperuser(`UPDATE record.ranking SET rule_version = 'heat 0' WHERE id = $1`, [rankingId]);
  expect(await replayRanking(store.database, rankingId)).toMatchObject({
    outcome: 'other rules',
    hash: null,
  });
  await store.asSuperuser(
    `UPDATE record.ranking SET rule_version = NULL, contents_hash = NULL WHERE id = $1`,
    [rankingId],
  );
  expect(await outcomeOf(rankingId)).toBe('same');
  await store.asSuperuser(`UPDATE record.ranking_entry SET heat = heat + 1 WHERE ranking_id = $1`, [
    rankingId,
  ]);
  expect(await outcomeOf(rankingId)).toBe('different');
});

test('an empty ranking is reproduced; an unknown one returns null', async () => {
  const { rankingId } = valueOf(await record.publisher.publishRanking({ candidates: [] }));
  expect(await outcomeOf(rankingId)).toBe('same');
  expect(await replayRanking(store.database, record.ids.next<'ranking'>())).toBeNull();
  expect(await replayRanking(store.database, hoursBefore(clock.now(), 24 * 365))).toBeNull();
});
