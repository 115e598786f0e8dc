import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { isDatabaseUnreachable } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a connection closed by the server', () => {
  test('in use gives its user an error that says so, and does not end the process', async () => {
    const client = await database.pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    await database.asSuperuser('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    const error: unknown = await client.query('SELECT 1').catch((caught: unknown) => caught);
    client.release(true);
    expect(isDatabaseUnreachable(error)).toBe(true);
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

test('a wrong query is not reported as an unreachable database', async () => {
  const error: unknown = await database.pool.query('SELECT nothing').catch((caught: unknown) => caught);
  expect(isDatabaseUnreachable(error)).toBe(false);
});

test('instants round-trip with microseconds and 64-bit numbers with all digits', async () => {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT '2026-01-05 08:00:00.123456+00'::timestamptz AT TIME ZONE 'UTC' = '2026-01-05 08:00:00.123456' AS exact,
       '2026-01-05 08:00:00.123456+00'::timestamptz AS at, 9007199254740993::bigint AS big`,
  );
  expect(rows).toEqual([{ exact: true, at: '2026-01-05 08:00:00.123456+00', big: 9_007_199_254_740_993n }]);
});
