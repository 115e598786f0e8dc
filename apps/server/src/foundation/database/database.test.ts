import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { isDatabaseAway } from './database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a connection that is cut between two statements of a transaction fails it, and nothing else', async () => {
  const outcome = await database.database
    .transaction()
    .execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
      await database.asSuperuser('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      await sql`SELECT 1`.execute(transaction);
    })
    .catch((error: unknown) => error);
  expect(isDatabaseAway(outcome)).toBe(true);
  const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(database.database);
  expect(rows).toEqual([{ one: 1 }]);
});
