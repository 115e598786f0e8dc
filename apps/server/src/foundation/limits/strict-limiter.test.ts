import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { connectDatabase, isDatabaseUnreachable } from '../database/database.ts';
import { decideStrictLimit, removeExpiredLimits } from './strict-limit-store.ts';
import type { StrictLimiter } from './strict-limiter.ts';
import { createStrictLimiter } from './strict-limiter.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const start = Date.parse('2026-03-01T00:00:00Z');
let names = 0;

/** A limiter with a unique name whose database time and memory both follow `clock.ms`. */
function limiterAt(clock: { ms: number }, admittedMax: number, name = `test-${(names += 1)}`): StrictLimiter {
  return createStrictLimiter({
    database: database.database,
    name,
    admittedMax,
    windowMs: 60_000,
    elapsedMs: () => clock.ms,
    now: () => new Date(start + clock.ms).toISOString(),
  });
}

describe('a strict limiter', () => {
  test('admits the configured number, reports the remainder, then refuses until the oldest leaves the window', async () => {
    const clock = { ms: 0 };
    const limiter = limiterAt(clock, 2);
    expect(await limiter.admit('a')).toEqual({ admitted: true, remaining: 1 });
    clock.ms = 50_000;
    expect(await limiter.admit('a')).toEqual({ admitted: true, remaining: 0 });
    expect(await limiter.admit('b')).toEqual({ admitted: true, remaining: 1 });
    clock.ms = 59_999;
    expect(await limiter.admit('a')).toMatchObject({ admitted: false });
    clock.ms = 60_000;
    expect(await limiter.admit('a')).toEqual({ admitted: true, remaining: 0 });
    expect(await limiter.admit('a')).toMatchObject({ admitted: false });
  });

  test('in any 60 s admits what an exact sliding window admits, over processes that each cache refusals', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 2 })), {
      maxLength: 40,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (requests, admittedMax) => {
        const clock = { ms: 0 };
        const name = `property-${(names += 1)}`;
        const processes = [0, 1, 2].map(() => limiterAt(clock, admittedMax, name));
        const admitted: number[] = [];
        for (const [pauseMs, which] of requests) {
          clock.ms += pauseMs;
          const occupied = admitted.filter((instant) => instant > clock.ms - 60_000).length;
          const admission = await processes[which]!.admit('key');
          expect(admission.admitted).toBe(occupied < admittedMax);
          if (admission.admitted) admitted.push(clock.ms);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('does not count a refused request, which waits at least a second, at most the window', async () => {
    const clock = { ms: 0 };
    const name = `test-${(names += 1)}`;
    const limiter = limiterAt(clock, 1, name);
    await limiter.admit('a');
    for (const [ms, retryAfterSeconds] of [
      [0, 60],
      [30_500, 30],
      [59_990, 1],
    ] as const) {
      clock.ms = ms;
      expect(await limiterAt(clock, 1, name).admit('a')).toEqual({ admitted: false, retryAfterSeconds });
    }
    clock.ms = 60_000;
    expect(await limiter.admit('a')).toEqual({ admitted: true, remaining: 0 });
  });

  test('answers a refusal from memory, also when the database is unreachable', async () => {
    const clock = { ms: 0 };
    const own = connectDatabase({
      url: database.urls.application,
      name: 'test',
      connectionsMax: 1,
      statementTimeoutMs: 1_000,
      connectTimeoutMs: 1_000,
    });
    const limiter = createStrictLimiter({
      database: own.database,
      name: 'memory',
      admittedMax: 1,
      windowMs: 60_000,
      elapsedMs: () => clock.ms,
    });
    await limiter.admit('a');
    await limiter.admit('a');
    await own.close();
    expect(await limiter.admit('a')).toMatchObject({ admitted: false });
    await expect(limiter.admit('b')).rejects.toThrow(/driver has already been destroyed/);
  });

  test('uses one connection for a thousand concurrent requests of one key and admits exactly ten', async () => {
    const limiter = createStrictLimiter({
      database: database.database,
      name: 'herd',
      admittedMax: 10,
      windowMs: 60_000,
    });
    const herd = Array.from({ length: 1_000 }, () => limiter.admit('a'));
    expect(database.pool.totalCount - database.pool.idleCount + database.pool.waitingCount).toBeLessThan(3);
    const admissions = await Promise.all(herd);
    expect(admissions.filter((admission) => admission.admitted)).toHaveLength(10);
  });

  test('throws a recognizable error to all waiting callers when the database is unreachable', async () => {
    const unreachable = connectDatabase({
      url: 'postgres://daybook_app:test@127.0.0.1:1/none',
      name: 'test',
      connectionsMax: 1,
      statementTimeoutMs: 1_000,
      connectTimeoutMs: 1_000,
    });
    const limiter = createStrictLimiter({
      database: unreachable.database,
      name: 'auth',
      admittedMax: 10,
      windowMs: 60_000,
    });
    const results = await Promise.allSettled([limiter.admit('a'), limiter.admit('a'), limiter.admit('b')]);
    expect(
      results.map((result) => result.status === 'rejected' && isDatabaseUnreachable(result.reason)),
    ).toEqual([true, true, true]);
    await unreachable.close();
  });

  test('separates keys of any bytes and length in bounded rows', async () => {
    const clock = { ms: 0 };
    const limiter = limiterAt(clock, 1, 'bytes');
    for (const key of ['', 'a\0b', 'a b', '猫', 'x'.repeat(1_000_000), `${'x'.repeat(999_999)}y`]) {
      expect(await limiter.admit(key)).toEqual({ admitted: true, remaining: 0 });
    }
    const [{ longest } = {}] = await database.asSuperuser(
      `SELECT max(length(key)) AS longest FROM foundation.strict_limit WHERE key LIKE 'bytes:%'`,
    );
    expect(longest).toBeLessThan(200);
  });
});

describe('the decision in the database', () => {
  const key = 'waited';
  const request = { key, admittedMax: 5, windowMs: 60_000 };

  test('reads the clock after it has locked the row, so a request that waited is counted when it was admitted', async () => {
    await decideStrictLimit(database.database, request);
    const waited = await database.database.transaction().execute(async (transaction) => {
      await decideStrictLimit(transaction, request);
      const other = decideStrictLimit(database.database, request);
      await untilSomeoneWaits();
      const [{ released } = {}] = await database.asSuperuser('SELECT clock_timestamp()::text AS released');
      return { other, released };
    });
    await waited.other;
    const [{ ordered } = {}] = await database.asSuperuser(
      `SELECT admitted_at[3] > $1::timestamptz AS ordered FROM foundation.strict_limit WHERE key = $2`,
      [waited.released, key],
    );
    expect(ordered).toBe(true);
  });

  async function untilSomeoneWaits(): Promise<void> {
    for (;;) {
      const [{ waiting } = {}] = await database.asSuperuser(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%strict_limit%'`,
      );
      if (waiting === 1) return;
    }
  }

  test('neither admits more nor lets a client wait longer than one window after the clock was set back an hour', async () => {
    const at = (now: string, admittedMax = 2) =>
      decideStrictLimit(database.database, { key: 'set-back', admittedMax, windowMs: 60_000, now });
    await at('2026-03-01T02:00:00Z');
    await at('2026-03-01T02:00:01Z');
    expect(await at('2026-03-01T01:00:00Z')).toEqual({ admitted: false, occupied: 2, freeInMs: 60_000 });
    expect(await at('2026-03-01T01:00:59.999Z')).toMatchObject({ admitted: false });
    expect(await at('2026-03-01T01:01:00Z')).toMatchObject({ admitted: true, occupied: 1 });
  });
});

test('deletes only rows whose window passed long ago', async () => {
  await database.asSuperuser('TRUNCATE foundation.strict_limit');
  await database.asSuperuser(
    `INSERT INTO foundation.strict_limit (key, admitted_at, last_admitted, expires_at)
     SELECT 'row' || n, '{}', true, now() - n * interval '1 minute' FROM generate_series(0, 3000) AS n`,
  );
  expect(await removeExpiredLimits(database.database)).toBe(2_991);
  const [{ left } = {}] = await database.asSuperuser(
    'SELECT count(*)::int AS left FROM foundation.strict_limit',
  );
  expect(left).toBe(10);
});
