import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { DatabaseConnection } from './database.ts';
import { connectDatabase } from './database.ts';
import { preparedAs } from './prepared-statement.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function preparedNames(throughPooler: boolean): Promise<readonly unknown[]> {
  const { database, close }: DatabaseConnection = connectDatabase({
    url: testDatabase.urls.application,
    name: 'test prepared',
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 2_000,
    throughPooler,
  });
  try {
    for (const value of [1, 2, 3]) {
      const doubled = sql<{ is: number }>`${preparedAs('double')} SELECT ${value}::integer * 2 AS is`;
      expect((await doubled.execute(database)).rows).toEqual([{ is: value * 2 }]);
      await sql`SELECT ${value}::integer`.execute(database);
    }
    return (await sql<{ name: string }>`SELECT name FROM pg_prepared_statements`.execute(database)).rows;
  } finally {
    await close();
  }
}

test('prepares marked statements once per connection', async () => {
  expect(await preparedNames(false)).toEqual([{ name: 'double' }]);
});

test('prepares nothing through a pooler', async () => {
  expect(await preparedNames(true)).toEqual([]);
});
