import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { commitWithoutWaiting, waitForCommits } from './commit-wait.ts';
import type { Database, DatabaseConnection } from './database.ts';
import { connectDatabase } from './database.ts';

let testDatabase: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  connection = connectDatabase({
    url: testDatabase.urls.application,
    name: 'test commits',
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 2_000,
  });
  await sql`SET synchronous_commit = on`.execute(connection.database);
});
afterAll(async () => {
  await connection.close();
  await testDatabase.drop();
});

const valueOf = async (database: Database, expression: string): Promise<unknown> =>
  (await sql<{ value: unknown }>`SELECT ${sql.raw(expression)} AS value`.execute(database)).rows[0]?.value;
const setting = "current_setting('synchronous_commit')";

test('skips the wait for one transaction; the next ones of the connection wait', async () => {
  await connection.database.transaction().execute(async (transaction) => {
    await sql`SELECT ${commitWithoutWaiting()}`.execute(transaction);
    expect(await valueOf(transaction, setting)).toBe('off');
  });
  expect(await valueOf(connection.database, setting)).toBe('on');
});

test('writes a commit that did not wait once a later one waits', async () => {
  const { database } = connection;
  for (let round = 0; round < 20; round += 1) {
    await sql`SELECT pg_current_xact_id(), ${commitWithoutWaiting()}`.execute(database);
    const written = await valueOf(database, 'pg_current_wal_insert_lsn()::text');
    await waitForCommits(database);
    expect(await valueOf(database, `pg_current_wal_flush_lsn() >= '${String(written)}'`)).toBe(true);
  }
});
