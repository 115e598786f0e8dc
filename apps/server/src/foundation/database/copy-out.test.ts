import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { copyRowOut } from './copy-out.ts';
import type { DatabaseConnection } from './database.ts';
import { connectDatabase, isDatabaseUnreachable } from './database.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({
    url: database.urls.newsReader,
    name: 'test copy',
    connectionsMax: 1,
    statementTimeoutMs: 1_000,
    connectTimeoutMs: 2_000,
  });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

test('reads a text of many chunks byte for byte and distinguishes null from empty', async () => {
  const select = `SELECT 'first', NULL, '', (SELECT string_agg(nth || ' 新闻 ', '') FROM generate_series(1, 50000) AS nth)`;
  const [first, none, empty, long] = await copyRowOut(connection.pool, select);
  expect(Buffer.concat(first ?? []).toString()).toBe('first');
  expect(none).toBeNull();
  expect(empty).toEqual([]);
  const expected = Array.from({ length: 50_000 }, (_, index) => `${index + 1} 新闻 `).join('');
  expect(long?.length).toBeGreaterThan(1);
  expect(Buffer.concat(long ?? []).toString()).toBe(expected);
});

test('returns no field when no row matches', async () => {
  expect(await copyRowOut(connection.pool, 'SELECT 1 WHERE false')).toEqual([]);
});

test('throws when a statement fails or times out, and keeps the only connection usable', async () => {
  await expect(copyRowOut(connection.pool, 'SELECT 1/0')).rejects.toThrow('division by zero');
  await expect(copyRowOut(connection.pool, 'SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
  expect(await copyRowOut(connection.pool, `SELECT 'on'`)).toEqual([[Buffer.from('on')]]);
});

test('reports an unreachable database when the server closes the connection, and the next one works', async () => {
  const ended: unknown = await copyRowOut(
    connection.pool,
    'SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)',
  ).catch((caught: unknown) => caught);
  expect(isDatabaseUnreachable(ended)).toBe(true);
  expect(await copyRowOut(connection.pool, `SELECT 'on'`)).toEqual([[Buffer.from('on')]]);
});

test('never fires the time-out of a finished statement', async () => {
  const client = await connection.pool.connect();
  client.release();
  const pending = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = pending();
  for (let count = 0; count < 20; count += 1) await copyRowOut(connection.pool, 'SELECT 1');
  expect(pending()).toBeLessThan(before + 10);
});
