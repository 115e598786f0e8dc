import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import { thinRankingsBefore } from './ranking-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());

const ranked = (itemId: Id<'item'>, owner: string) => ({
  itemId,
  owner,
  sourceName: owner,
  firstParty: false,
  weight: 1,
  reportedAt: clock.now(),
});

test('a ranking is stored with its evidence and unchanged when one of its items is withdrawn', async () => {
  const [one, two] = [await record.publish(), await record.publish()];
  const candidates = [{ itemId: one, items: [ranked(one, 'a'), ranked(two, 'b')] }];
  const { rankingId, topics } = valueOf(await record.publisher.publishRanking({ candidates }));
  expect(topics).toEqual([{ ...candidates[0], rank: 1, heat: 2 }]);
  valueOf(await record.publisher.withdrawItem({ itemId: two }));
  const evidence = await store.database
    .selectFrom('record.ranking_evidence')
    .select(['item_id', 'owner', 'weight'])
    .where('ranking_id', '=', rankingId)
    .orderBy('owner')
    .execute();
  expect(evidence).toEqual([
    { item_id: one, owner: 'a', weight: 1 },
    { item_id: two, owner: 'b', weight: 1 },
  ]);
});

test('a ranking without topics is stored, and a second one of the same instant is refused', async () => {
  clock.advance({ minutes: 5 });
  expect(valueOf(await record.publisher.publishRanking({ candidates: [] })).topics).toEqual([]);
  expect(await record.publisher.publishRanking({ candidates: [] })).toEqual({
    ok: false,
    reason: 'already_ranked',
  });
});

test('withdrawn, unknown and repeated items are refused', async () => {
  clock.advance({ minutes: 5 });
  const [item, withdrawn] = [await record.publish(), await record.publish()];
  valueOf(await record.publisher.withdrawItem({ itemId: withdrawn }));
  const rank = (itemId: Id<'item'>, other: Id<'item'>) =>
    record.publisher.publishRanking({
      candidates: [{ itemId, items: [ranked(item, 'a'), ranked(other, 'b')] }],
    });
  expect(await rank(item, withdrawn)).toEqual({ ok: false, reason: 'withdrawn_item' });
  expect(await rank(withdrawn, record.ids.next())).toEqual({ ok: false, reason: 'unknown_item' });
  expect(await rank(item, item)).toEqual({ ok: false, reason: 'repeated_item' });
});

test('thinning preserves the last old ranking of each whole hour and all younger ones', async () => {
  clock.set('2027-02-01T00:00:00.000Z');
  const hour = 3_600_000_000n;
  const start = clock.now();
  const minutes = [0n, 5n, 55n, 60n, 65n, 120n, 125n];
  for (const minute of minutes) {
    const rankedAt = epochMicroseconds(start + (minute * hour) / 60n);
    valueOf(await record.publisher.publishRanking({ candidates: [], rankedAt }));
  }
  // The third hour is not over at the border, so none of its rankings are deleted.
  const border = epochMicroseconds(start + 2n * hour + hour / 2n);
  while ((await thinRankingsBefore(store.database, border, 2)) > 0);
  const left = await store.database
    .selectFrom('record.ranking')
    .select('ranked_at')
    .where('ranked_at', '>=', '2027-02-01T00:00:00Z')
    .orderBy('ranked_at')
    .execute();
  expect(left.map(({ ranked_at }) => ranked_at.slice(11, 16))).toEqual(['00:55', '01:05', '02:00', '02:05']);
});
