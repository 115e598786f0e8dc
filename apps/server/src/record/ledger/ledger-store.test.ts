import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory } from '../../../test/factories/record-factory.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import type { Database } from '../../foundation/database/database.ts';
import { writeVersionsAndLedger } from '../representation-version-store.ts';
import type { LedgerChange } from './ledger-store.ts';
import { startNewEpoch } from './ledger-store.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

const digest = Buffer.alloc(32, 255);
const clock = createTestClock('2026-11-15T08:00:00.000Z');

const append = (database: Database, changes: readonly LedgerChange[]): Promise<void> =>
  writeVersionsAndLedger(database, { stale: [], purge: [] }, changes, clock.now());

async function positionsSeen(database: Database): Promise<readonly bigint[]> {
  const rows = await database
    .selectFrom('record.ledger_entry')
    .select('position')
    .orderBy('position')
    .execute();
  return rows.map(({ position }) => position);
}

async function head(database: Database) {
  return database.selectFrom('record.ledger_head').selectAll().executeTakeFirstOrThrow();
}

test('with two concurrent writers, no reader sees a position before every lower one', async () => {
  const record = createRecordFactory({ database: store.database, clock });
  const [one, two] = [await record.publish(), await record.publish()];
  const slow = await store.database.startTransaction().execute();
  const quick = await store.database.startTransaction().execute();

  await append(slow, [{ itemId: one, before: null, after: digest }]);
  let quickIsDone = false;
  const quickWrites = (async () => {
    await append(quick, [{ itemId: two, before: null, after: digest }]);
    await quick.commit().execute();
    quickIsDone = true;
  })();
  await untilWaiting(store, 'ledger_head');
  expect(quickIsDone).toBe(false);
  expect(await positionsSeen(store.database)).toEqual([]);

  await slow.commit().execute();
  await quickWrites;
  expect(await positionsSeen(store.database)).toEqual([1n, 2n]);
  expect(await head(store.database)).toMatchObject({
    position: 2n,
    set_size: 2n,
    set_hash: String(2n ** 256n - 2n),
  });
});

test('a writer that rolls back leaves no gap and does not change the hash', async () => {
  const itemId = await createRecordFactory({ database: store.database, clock }).publish();
  const before = await head(store.database);
  const failing = await store.database.startTransaction().execute();
  await append(failing, [{ itemId, before: null, after: digest }]);
  await failing.rollback().execute();
  expect(await head(store.database)).toEqual(before);
});

test('an item appears in the ledger once, at its latest position', async () => {
  const itemId = await createRecordFactory({ database: store.database, clock }).publish();
  await append(store.database, [{ itemId, before: null, after: digest }]);
  await append(store.database, [{ itemId, before: digest, after: null }]);
  const { position } = await head(store.database);
  const entries = await store.database
    .selectFrom('record.ledger_entry')
    .select(['position', 'removed'])
    .where('item_id', '=', itemId)
    .execute();
  expect(entries).toEqual([{ position, removed: true }]);
});

test('times come from the given clock and are never earlier than at the previous position', async () => {
  clock.set('2026-11-15T09:00:00.000Z');
  const record = createRecordFactory({ database: store.database, clock });
  const changedAt = async (): Promise<string> => {
    const itemId = await record.publish();
    await append(store.database, [{ itemId, before: null, after: digest }]);
    return (await head(store.database)).changed_at;
  };
  expect(await changedAt()).toBe('2026-11-15 09:00:00+00');
  clock.set('2026-11-15T08:59:00.000Z');
  expect(await changedAt()).toBe('2026-11-15 09:00:00+00');
  clock.set('2026-11-15T09:00:01.000Z');
  expect(await changedAt()).toBe('2026-11-15 09:00:01+00');
});

test('a new epoch preserves positions, size and hash', async () => {
  const before = await head(store.database);
  const epoch = await startNewEpoch(store.database);
  expect(epoch).not.toBe(before.epoch);
  expect(await head(store.database)).toEqual({ ...before, epoch });
});
