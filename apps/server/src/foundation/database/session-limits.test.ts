import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { DatabaseConnection, DatabaseOptions } from './database.ts';
import { connectDatabase, isDatabaseUnreachable } from './database.ts';
import { describeMissingLimits, limitStatements } from './session-limits.ts';

let database: TestDatabase;
const opened: DatabaseConnection[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const { close } of opened) await close();
  await database.drop();
});

function connect(options: Partial<DatabaseOptions>): DatabaseConnection {
  const connection = connectDatabase({
    url: database.urls.application,
    name: 'test limits',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
    ...options,
  });
  opened.push(connection);
  return connection;
}

const tooLong = sql`SELECT pg_sleep(8)`;
const backend = async ({ database: handle }: Pick<DatabaseConnection, 'database'>): Promise<unknown> =>
  (await sql`SELECT pg_backend_pid() AS pid`.execute(handle)).rows[0];

describe('does not reuse the connection of a query that timed out', () => {
  // The client times out after 1.1 s, and no limit of the session ends the statement earlier.
  const impatient = (): DatabaseConnection => connect({ throughPooler: true, statementTimeoutMs: 100 });

  test('outside a transaction', async () => {
    const connection = impatient();
    const before = await backend(connection);
    const error: unknown = await tooLong.execute(connection.database).catch((caught: unknown) => caught);
    expect(isDatabaseUnreachable(error)).toBe(true);
    expect(await backend(connection)).not.toEqual(before);
  });

  test('inside a transaction, whose end does not wait for the statement either', async () => {
    const connection = impatient();
    const before = await backend(connection);
    const error: unknown = await connection.database
      .transaction()
      .execute((transaction) => tooLong.execute(transaction))
      .catch((caught: unknown) => caught);
    expect(isDatabaseUnreachable(error)).toBe(true);
    // The error of the ROLLBACK; on an open connection it would have waited in vain as well.
    expect(error).toMatchObject({ message: expect.stringContaining('was closed') });
    expect(await backend(connection)).not.toEqual(before);
  });
});

test('the server ends a session with an idle transaction, whichever pool it belongs to', async () => {
  const { pool } = connect({ idleInTransactionTimeoutMs: 50 });
  const client = await pool.connect();
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await client.query('BEGIN');
  await ended;
  client.release();
  const { rows } = await connect({}).pool.query('SHOW idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
});

test('a limit for one transaction applies only to that transaction', async () => {
  const { database: handle } = connect({});
  const limited = handle.transaction().execute(async (transaction) => {
    await limitStatements(transaction, 50);
    await tooLong.execute(transaction);
  });
  await expect(limited).rejects.toThrow('canceling statement due to statement timeout');
  expect((await sql`SHOW statement_timeout`.execute(handle)).rows).toEqual([{ statement_timeout: '10s' }]);
});

test('reports a login without limits where a pooler would forward none', async () => {
  const pooled = (url: string): pg.Pool => connect({ url, throughPooler: true }).pool;
  expect(await describeMissingLimits(pooled(database.urls.application))).toBeNull();
  expect(await describeMissingLimits(pooled(database.urls.newsReader))).toBeNull();
  expect(await describeMissingLimits(pooled(database.urls.owner))).toMatch(
    /daybook_owner has no idle_in_transaction_session_timeout and no statement_timeout: run daybook database logins/,
  );
});
