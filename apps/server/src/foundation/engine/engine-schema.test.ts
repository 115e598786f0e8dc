import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeCatalog } from '../../../test/catalog.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { migrate } from '../database/migrate.ts';
import { readMigrations } from '../database/migration-files.ts';
import { createLogger } from '../logger.ts';
import { migrateEngine } from './engine-schema.ts';

const logger = createLogger('silent', 'test');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  await migrate(database.urls.owner, await readMigrations());
});
afterAll(() => database.drop());

describe("the engine's own tables", () => {
  test('are created once, also by two processes at once, and a second run changes nothing', async () => {
    await Promise.all([
      migrateEngine(database.urls.owner, logger),
      migrateEngine(database.urls.owner, logger),
    ]);
    const before = await describeCatalog(database);
    expect(before.filter((line) => line.startsWith('relation dbos.workflow_status r')).length).toBe(1);
    await migrateEngine(database.urls.owner, logger);
    expect(await describeCatalog(database)).toEqual(before);
  });

  test('grant the application access to rows but not to the structure', async () => {
    await migrateEngine(database.urls.owner, logger);
    const rights = await database.asSuperuser(`
      SELECT DISTINCT privilege_type AS privilege FROM information_schema.table_privileges
      WHERE grantee = 'daybook_application' AND table_schema = 'dbos' ORDER BY 1`);
    expect(rights.map((row) => row['privilege'])).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
    const client = new pg.Client({ connectionString: database.urls.application });
    await client.connect();
    try {
      for (const statement of [
        'CREATE TABLE dbos.mine (id int)',
        'DROP TABLE dbos.workflow_status',
        'UPDATE dbos.dbos_migrations SET version = 0',
      ]) {
        await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
      }
    } finally {
      await client.end();
    }
  });
});
