import pg from 'pg';

import type { Migration } from './migration-files.ts';

/** Any number, the same for every Daybook process: two that migrate at once take turns. */
const migrationLock = 4_209_210_033;

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly breaking: boolean;
}

/** Brings the database up to date as its owner. Each migration is one transaction; what is applied is never changed. */
export async function migrate(
  ownerUrl: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'daybook migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const applied = await appliedMigrations(client);
    refuseForeign(applied, migrations);
    const pending = migrations.slice(applied.length);
    for (const migration of pending) await apply(client, migration);
    return pending;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO foundation.schema_migration (number, name, sha256, breaking) VALUES ($1, $2, $3, $4)',
      [migration.number, migration.name, migration.sha256, migration.breaking],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${migration.number} ${migration.name} failed; nothing of it was kept`, {
      cause: error,
    });
  }
}

async function appliedMigrations(client: pg.ClientBase | pg.Pool): Promise<readonly AppliedRow[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('foundation.schema_migration') IS NOT NULL AS exists`,
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await client.query<AppliedRow>(
    'SELECT number, name, sha256, breaking FROM foundation.schema_migration ORDER BY number',
  );
  return rows;
}

function refuseForeign(applied: readonly AppliedRow[], migrations: readonly Migration[]): void {
  for (const row of applied) {
    const known = migrations[row.number - 1];
    if (known === undefined)
      throw new Error(
        `the database has migration ${row.number} ${row.name}, which this version does not know`,
      );
    if (known.sha256 !== row.sha256)
      throw new Error(`migration ${row.number} ${row.name} was changed after it was applied`);
  }
}

export type SchemaState =
  | { readonly kind: 'current' }
  /** Newer, but nothing that this version relies on has gone: it may go on until it is replaced. */
  | { readonly kind: 'ahead'; readonly by: number }
  | { readonly kind: 'behind'; readonly missing: number }
  | { readonly kind: 'incompatible'; readonly detail: string };

/** May this version run on this database? Asked by every process before it takes work. */
export async function readSchemaState(
  client: pg.ClientBase | pg.Pool,
  migrations: readonly Migration[],
): Promise<SchemaState> {
  const applied = await appliedMigrations(client);
  const breaking = applied.find((row) => row.number > migrations.length && row.breaking);
  if (breaking !== undefined) {
    return {
      kind: 'incompatible',
      detail: `migration ${breaking.number} ${breaking.name} is newer and not for this version`,
    };
  }
  if (applied.length > migrations.length) return { kind: 'ahead', by: applied.length - migrations.length };
  if (applied.length < migrations.length)
    return { kind: 'behind', missing: migrations.length - applied.length };
  return { kind: 'current' };
}
