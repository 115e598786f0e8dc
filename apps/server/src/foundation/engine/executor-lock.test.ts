import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import { createLogger } from '../logger.ts';
import { createEpochFence, EpochEndedError } from './epoch-fence.ts';
import type { ExecutorLock } from './executor-lock.ts';
import { acquireExecutorLock } from './executor-lock.ts';
import {
  endEpoch,
  executorLockClass,
  findLostEpochs,
  noteFreeLocks,
  registerExecutor,
} from './executor-store.ts';
import { createTakeover } from './executor-takeover.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function acquire(
  timings: { readonly heartbeatTimeoutMs?: number; readonly loopStuckAfterMs?: number } = {},
): Promise<ExecutorLock & { readonly lost: Promise<string>; readonly sessions: readonly string[] }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const sessions: string[] = [];
  const lock = await acquireExecutorLock({
    url: database.urls.application,
    self,
    heartbeatTimeoutMs: 8_000,
    loopStuckAfterMs: 60_000,
    connectWithinMs: 0,
    onLost: resolve,
    onSession: (state) => sessions.push(state),
    ...timings,
  });
  return { ...lock, lost: promise, sessions };
}

const self = { host: 'here', processId: process.pid, release: 'test', versions: {} };

/** The epoch of a killed process: its session is closed, and no process has ended the epoch yet. */
async function deadExecutor(): Promise<number> {
  const session = new pg.Client({ connectionString: database.urls.application });
  await session.connect();
  const epoch = await registerExecutor(session, self);
  await session.end();
  await expect.poll(() => sessionsOf(epoch)).toEqual([]);
  return epoch;
}

const sessionsOf = (epoch: number): Promise<readonly unknown[]> =>
  database.asSuperuser(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted`,
    [executorLockClass, epoch],
  );

async function cutSession(epoch: number): Promise<void> {
  await database.asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2`,
    [executorLockClass, epoch],
  );
}

async function freeEpochs(): Promise<readonly number[]> {
  await noteFreeLocks(database.database);
  return findLostEpochs(database.database, 0);
}

/** Moves the time at which the lock was seen free into the past. */
async function age(epoch: number, seconds: number): Promise<void> {
  await sql`UPDATE foundation.executor SET lock_free_since = lock_free_since - make_interval(secs => ${seconds})
    WHERE epoch = ${epoch}`.execute(database.database);
}

const isAlive = async (epoch: number): Promise<boolean> => {
  const row = await database.database
    .selectFrom('foundation.executor')
    .select('ended_at')
    .where('epoch', '=', epoch)
    .executeTakeFirstOrThrow();
  return row.ended_at === null;
};

describe('the lock of an executor', () => {
  test('is acquired again in a new session after its session was closed', async () => {
    // A loaded machine answers the query that unlocks within this time.
    const lock = await acquire({ heartbeatTimeoutMs: 2_000 });
    const [before] = await sessionsOf(lock.epoch);
    await cutSession(lock.epoch);
    await expect.poll(() => lock.sessions, { timeout: 10_000 }).toEqual(['broken', 'regained']);
    const after = await sessionsOf(lock.epoch);
    expect(after).toHaveLength(1);
    expect(after[0]).not.toEqual(before);
    expect(await freeEpochs()).not.toContain(lock.epoch);
    await lock.release();
    expect(await sessionsOf(lock.epoch)).toEqual([]);
  });

  test('is lost if other processes have ended the epoch meanwhile', async () => {
    const lock = await acquire({ heartbeatTimeoutMs: 400 });
    await sql`UPDATE foundation.executor SET ended_at = now(), ended_by = 0 WHERE epoch = ${lock.epoch}`.execute(
      database.database,
    );
    await cutSession(lock.epoch);
    expect(await lock.lost).toContain('ended by others');
    await expect.poll(() => sessionsOf(lock.epoch)).toEqual([]);
  });

  test('survives a blocked event loop, and is released once the loop has been blocked for too long', async () => {
    const [busy, stuck] = [
      await acquire({ heartbeatTimeoutMs: 400 }),
      await acquire({ heartbeatTimeoutMs: 400, loopStuckAfterMs: 600 }),
    ];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await stuck.lost).toContain('the event loop has not turned');
    await expect.poll(freeEpochs).toContain(stuck.epoch);
    expect(await freeEpochs()).not.toContain(busy.epoch);
    expect(busy.sessions).toEqual([]);
    await busy.release();
  });
});

describe('a takeover', () => {
  const watch = (epoch: number): (() => Promise<void>) =>
    createTakeover({
      database: database.database,
      logger: createLogger('silent', 'test'),
      epoch,
      graceMs: 10_000,
    });

  test('waits for the whole grace period, also when the watcher that saw the lock free has died', async () => {
    const [dead, first, second] = [await deadExecutor(), await acquire(), await acquire()];
    await watch(first.epoch)();
    await first.release();
    await age(dead, 9);
    await watch(second.epoch)();
    expect(await isAlive(dead)).toBe(true);
    await age(dead, 1);
    await watch(second.epoch)();
    expect(await isAlive(dead)).toBe(false);
    await second.release();
  });

  test('restarts its grace period when PostgreSQL has restarted since the lock was seen free', async () => {
    const [dead, watcher] = [await deadExecutor(), await acquire()];
    await watch(watcher.epoch)();
    await age(dead, 60);
    await sql`UPDATE foundation.executor SET lock_free_server_start = lock_free_server_start - interval '1 day'
      WHERE epoch = ${dead}`.execute(database.database);
    await watch(watcher.epoch)();
    expect(await isAlive(dead)).toBe(true);
    await age(dead, 10);
    await watch(watcher.epoch)();
    expect(await isAlive(dead)).toBe(false);
    await watcher.release();
  });

  test('cannot end an epoch whose lock is taken, nor act in the name of an ended epoch', async () => {
    const [holder, judge, gone] = [await acquire(), await acquire(), await acquire()];
    expect(await endEpoch(database.database, holder.epoch, judge.epoch)).toBe(false);
    await gone.release();
    await judge.release();
    expect(await endEpoch(database.database, judge.epoch, gone.epoch)).toBe(true);
    expect(await endEpoch(database.database, gone.epoch, judge.epoch)).toBe(false);
    await holder.release();
  });
});

describe('the fence', () => {
  test('lets an epoch write until it is ended, and delays its end until the commit', async () => {
    const [writer, judge] = [await deadExecutor(), await acquire()];
    const reasons: string[] = [];
    const fence = createEpochFence(writer, (reason) => reasons.push(reason));
    const order: string[] = [];
    let ending: Promise<unknown> = Promise.resolve();
    await database.database.transaction().execute(async (trx) => {
      await fence(trx);
      ending = endEpoch(database.database, writer, judge.epoch).then(() => order.push('ended'));
      await expect
        .poll(() => database.asSuperuser(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))
        .toHaveLength(1);
      order.push('written');
    });
    await ending;
    expect(order).toEqual(['written', 'ended']);
    const late = database.database.transaction().execute((trx) => fence(trx));
    await expect(late).rejects.toThrow(EpochEndedError);
    expect(reasons).toHaveLength(1);
    await judge.release();
  });

  test('bounds how long a suspended process can delay its end: the server ends its open transaction', async () => {
    const writer = await acquire();
    const fence = createEpochFence(writer.epoch, () => {});
    const allowed = async (trx: Transaction<DB> | typeof database.database): Promise<unknown> =>
      (
        await sql<{
          ms: string;
        }>`SELECT current_setting('idle_in_transaction_session_timeout') AS ms`.execute(trx)
      ).rows[0]?.ms;
    await database.database.transaction().execute(async (trx) => {
      await fence(trx);
      expect(await allowed(trx)).toBe('5s');
    });
    expect(await allowed(database.database)).toBe('15s');
    await writer.release();
  });
});
