import { retriablePostgresException } from '@dbos-inc/dbos-sdk/internal/system_database';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createEnginePool } from './engine-pool.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createEnginePool({
    url: database.urls.application,
    connectionsMax: 1,
    throughPooler: false,
    statementTimeoutMs: 100,
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('ends after five seconds a transaction that a frozen process leaves open', async () => {
  const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
});

describe('gives the SDK a retryable error when a statement times out', () => {
  test('by the pool', async () => {
    const error: unknown = await pool.query('SELECT pg_sleep(5)').catch((caught: unknown) => caught);
    expect(retriablePostgresException(error)).toBe(true);
  });

  test('by a connection of the pool', async () => {
    const client = await pool.connect();
    const error: unknown = await client.query('SELECT pg_sleep(5)').catch((caught: unknown) => caught);
    client.release();
    expect(retriablePostgresException(error)).toBe(true);
  });
});

test('does not retry a wrong statement', async () => {
  const error: unknown = await pool.query('SELECT nothing').catch((caught: unknown) => caught);
  expect(retriablePostgresException(error)).toBe(false);
});
