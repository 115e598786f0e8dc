import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, inject, test } from 'vitest';

import { describeCatalog } from '../../../test/catalog.ts';
import { generateDatabaseTypes } from '../../../test/database-types.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import { migrate, readSchemaState } from './migrate.ts';
import type { Migration } from './migration-files.ts';
import { readMigrations, statementsOf } from './migration-files.ts';

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
const extra = (sql: string, header: Partial<Migration> = {}): Migration => ({
  number: migrations.length + 1,
  name: 'extra',
  sql,
  sha256: 'of-extra',
  breaking: false,
  inTransaction: true,
  ...header,
});
const outside = (sql: string): Migration => extra(sql, { inTransaction: false });

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

  test('a failed migration is rolled back completely', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const before = await describeCatalog(database);
    const broken = extra('CREATE TABLE foundation.half (id int); SELECT 1 / 0;');
    await expect(migrate(database.urls.owner, [...migrations, broken])).rejects.toThrow(
      /its changes were rolled back/,
    );
    expect(await describeCatalog(database)).toEqual(before);
  });

  test('an applied migration that was edited later is refused', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const edited = migrations.map((one) => (one.number === 1 ? { ...one, sha256: 'other' } : one));
    await expect(migrate(database.urls.owner, edited)).rejects.toThrow(/was changed after it was applied/);
  });
});

describe('a migration that waits for a lock', () => {
  const widen = extra('ALTER TABLE foundation.strict_limit ADD COLUMN added integer');

  /** A transaction that reads the table and stays open until released. */
  async function holdTable(database: TestDatabase): Promise<() => Promise<void>> {
    const client = await database.pool.connect();
    await client.query('BEGIN; SELECT FROM foundation.strict_limit');
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  test('lets other sessions pass, and is applied when the lock is free', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const release = await holdTable(database);
    const migrating = migrate(database.urls.owner, [...migrations, widen], {
      lockTimeoutMs: 100,
      attemptsMax: 1_000,
      pauseMs: 20,
    });
    await untilWaiting(database, 'ADD COLUMN added');
    // Behind a lock request that keeps waiting, this would not return before the lock is released.
    await database.pool.query('SELECT FROM foundation.strict_limit');
    await release();
    expect(await migrating).toEqual([widen]);
  });

  test('fails in the end and is rolled back', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    const before = await describeCatalog(database);
    const release = await holdTable(database);
    const patience = { lockTimeoutMs: 20, attemptsMax: 3, pauseMs: 1 };
    await expect(migrate(database.urls.owner, [...migrations, widen], patience)).rejects.toMatchObject({
      message: expect.stringContaining('its changes were rolled back'),
      cause: { code: '55P03' },
    });
    await release();
    expect(await describeCatalog(database)).toEqual(before);
  });
});

describe('a migration outside a transaction', () => {
  const doubled = `INSERT INTO foundation.strict_limit VALUES ('a', '{}', true, now()), ('b', '{}', true, now())`;
  const index = `DROP INDEX CONCURRENTLY IF EXISTS foundation.only_one;
    CREATE UNIQUE INDEX CONCURRENTLY only_one ON foundation.strict_limit (last_admitted);`;

  test('builds its index during open transactions, and again after a failed attempt', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, migrations);
    await database.pool.query(doubled);
    await expect(migrate(database.urls.owner, [...migrations, outside(index)])).rejects.toThrow(
      /the next attempt starts from the beginning/,
    );
    expect(await readSchemaState(database.pool, migrations)).toEqual({ kind: 'current' });
    await database.pool.query(`DELETE FROM foundation.strict_limit WHERE key = 'b'`);
    expect(await migrate(database.urls.owner, [...migrations, outside(index)])).toHaveLength(1);
    const built = await database.asSuperuser(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'foundation.only_one'::regclass`,
    );
    expect(built).toEqual([{ indisvalid: true }]);
  });

  test.for(migrations.filter(({ inTransaction }) => !inTransaction))(
    '$number $name can be repeated, as after a crash before it was recorded',
    async ({ number }) => {
      const database = await emptyDatabase();
      await migrate(database.urls.owner, migrations.slice(0, number));
      const before = await describeCatalog(database);
      await database.asSuperuser('DELETE FROM foundation.schema_migration WHERE number = $1', [number]);
      await migrate(database.urls.owner, migrations.slice(0, number));
      expect(await describeCatalog(database)).toEqual(before);
    },
  );

  test('is split where a line ends with a semicolon', () => {
    const file = "-- outside a transaction\n-- Why.\nSELECT ';'\n  AS a;\n\nSELECT 2; \n-- The end.\n";
    expect(statementsOf(outside(file))).toEqual([
      "-- outside a transaction\n-- Why.\nSELECT ';'\n  AS a",
      'SELECT 2',
    ]);
  });
});

describe('a process on a database', () => {
  test('older than itself gets an error that lists the missing migrations', async () => {
    const database = await emptyDatabase();
    expect(await readSchemaState(database.pool, migrations)).toEqual({
      kind: 'behind',
      missing: migrations.length,
    });
  });

  test('newer but compatible may run; newer and breaking may not', async () => {
    const database = await emptyDatabase();
    await migrate(database.urls.owner, [...migrations, extra('CREATE TABLE foundation.added (id int)')]);
    expect(await readSchemaState(database.pool, migrations)).toEqual({ kind: 'ahead', by: 1 });
    const other = await emptyDatabase();
    await migrate(other.urls.owner, [
      ...migrations,
      extra('DROP TABLE foundation.strict_limit', { breaking: true }),
    ]);
    expect(await readSchemaState(other.pool, migrations)).toMatchObject({ kind: 'incompatible' });
  });
});

describe('a database of an earlier release with data in it', async () => {
  const folder = new URL('../../../test/releases/', import.meta.url);
  const releases = (await readdir(folder)).filter((file) => file.endsWith('.sql'));

  test.for(releases)('%s, upgraded, equals an empty one migrated, and preserves its rows', async (file) => {
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

/** Rows per table, for non-empty tables; migrations record themselves. */
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
