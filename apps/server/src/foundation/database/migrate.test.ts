import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, inject, test } from 'vitest';

import { describeCatalog } from '../../../test/catalog.ts';
import { generateDatabaseTypes } from '../../../test/database-types.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { migrate, readSchemaState } from './migrate.ts';
import type { Migration } from './migration-files.ts';
import { readMigrations } from './migration-files.ts';

const opened: TestDatabase[] = [];
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  opened.push(database);
  return database;
}
afterAll(async () => {
  for (const database of opened) await database.drop();
});

const migrations = await readMigrations();
const extra = (sql: string, breaking = false): Migration => ({
  number: migrations.length + 1,
  name: 'extra',
  sql,
  sha256: 'of-extra',
  breaking,
});

describe('migrating', () => {
  test('twice changes nothing the second time', async () => {
    const database = await emptyDatabase();
    expect(await migrate(database.urls.owner, migrations)).toHaveLength(migrations.length);
    const before = await describeCatalog(database);
    expect(before.length).toBeGreaterThan(20);
    expect(await migrate(database.urls.owner, migrations)).toEqual([]);
    expect(await describeCatalog(database)).toEqual(before);
  });

  test('from two processes at once applies each migration once', async () => {
    const database = await emptyDatabase();
    const both = await Promise.all([
      migrate(database.urls.owner, migrations),
      migrate(database.urls.owner, migrations),
    ]);
    expect(new Set(both.map((applied) => applied.length))).toEqual(new Set([0, migrations.length]));
  });

  test('a migration that fails leaves nothing of itself', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const before = await describeCatalog(database);
    const broken = extra('CREATE TABLE foundation.half (id int); SELECT 1 / 0;');
    await expect(migrate(database.urls.owner, [...migrations, broken])).rejects.toThrow(
      /nothing of it was kept/,
    );
    expect(await describeCatalog(database)).toEqual(before);
  });

  test('an applied migration that was edited since is refused', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const edited = migrations.map((one) => (one.number === 1 ? { ...one, sha256: 'other' } : one));
    await expect(migrate(database.urls.owner, edited)).rejects.toThrow(/was changed after it was applied/);
  });
});

describe('a process that meets a database', () => {
  test('older than itself is told what is missing', async () => {
    const database = await emptyDatabase();
    expect(await readSchemaState(database.pool, migrations)).toEqual({
      kind: 'behind',
      missing: migrations.length,
    });
  });

  test('newer but compatible may go on; newer and breaking may not', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, [...migrations, extra('CREATE TABLE foundation.added (id int)')]);
    expect(await readSchemaState(database.pool, migrations)).toEqual({ kind: 'ahead', by: 1 });
    const other = await emptyDatabase();
    await migrate(other.urls.owner, [...migrations, extra('DROP TABLE foundation.strict_limit', true)]);
    expect(await readSchemaState(other.pool, migrations)).toMatchObject({ kind: 'incompatible' });
  });
});

describe('a database of an earlier release with data in it', async () => {
  const folder = new URL('../../../test/releases/', import.meta.url);
  const releases = (await readdir(folder)).filter((file) => file.endsWith('.sql'));

  test.for(releases)('%s, upgraded, equals an empty one migrated, and keeps its rows', async (file) => {
    const rows = await readFile(new URL(file, folder), 'utf8');
    const upgraded = await emptyDatabase();
    await migrate(upgraded.urls.owner, migrations.slice(0, Number.parseInt(file, 10)));
    await upgraded.asSuperuser(rows);
    const before = await countRows(upgraded);
    await migrate(upgraded.urls.owner, migrations);
    const fresh = await emptyDatabase();
    await migrate(fresh.urls.owner, migrations);
    expect(await describeCatalog(upgraded)).toEqual(await describeCatalog(fresh));
    expect(await countRows(upgraded)).toMatchObject(before);
  });
});

/** Rows per table, for the tables that hold any; migrations note themselves. */
async function countRows(database: TestDatabase): Promise<Record<string, number>> {
  const tables = await database.asSuperuser(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'schema_migration'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database.asSuperuser(`SELECT count(*)::int AS rows FROM ${String(name)}`);
    if (row !== undefined && Number(row['rows']) > 0) counts[String(name)] = Number(row['rows']);
  }
  return counts;
}

test('the committed table types are those of the migrated database', async () => {
  const fresh = join(await mkdtemp(join(tmpdir(), 'daybook-types-')), 'database-types.ts');
  const superuserUrl = inject('superuserUrl');
  const url = (database = 'postgres'): string => {
    const address = new URL(superuserUrl);
    address.pathname = `/${database}`;
    return address.href;
  };
  await generateDatabaseTypes(url, fresh);
  const committed = new URL('./generated/database-types.ts', import.meta.url);
  expect(await readFile(fresh, 'utf8'), 'stale: run `npm run database:types`').toBe(
    await readFile(committed, 'utf8'),
  );
});
