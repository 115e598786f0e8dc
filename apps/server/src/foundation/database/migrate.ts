import pg from 'pg';

import type { Migration } from './migration-files.ts';
import { statementsOf } from './migration-files.ts';
import type { LockRetryPolicy } from './owner-session.ts';
import { lockPatience, ownerSession, retryOnLockTimeout } from './owner-session.ts';
import { takeSessionLock } from './session-lock.ts';

/** Any number, the same for every Daybook process: two that migrate at once take turns. */
const migrationLock = 4_209_210_033;

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly breaking: boolean;
}

/** Applies missing migrations as the owner. Applied migrations never change. */
export async function migrate(
  ownerUrl: string,
  migrations: readonly Migration[],
  patience: LockRetryPolicy = lockPatience,
): Promise<readonly Migration[]> {
  const client = new pg.Client(ownerSession(ownerUrl, 'daybook migrate', patience));
  await client.connect();
  try {
    await takeSessionLock(client, migrationLock);
    const applied = await appliedMigrations(client);
    refuseForeign(applied, migrations);
    const pending = migrations.slice(applied.length);
    for (const migration of pending) await apply(client, migration, patience);
    return pending;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration, patience: LockRetryPolicy): Promise<void> {
  const [run, effect] = migration.inTransaction
    ? [applyInTransaction, 'its changes were rolled back']
    : [
        applyOutsideTransaction,
        'its earlier statements stay, and the next attempt starts from the beginning',
      ];
  try {
    await run(client, migration, patience);
  } catch (error) {
    throw new Error(`migration ${migration.number} ${migration.name} failed; ${effect}`, { cause: error });
  }
}

async function applyInTransaction(
  client: pg.Client,
  migration: Migration,
  patience: LockRetryPolicy,
): Promise<void> {
  await retryOnLockTimeout(async () => {
    await client.query('BEGIN');
    try {
      await client.query(migration.sql);
      await noteApplied(client, migration);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }, patience);
}

/**
 * Statement by statement, because several sent at once are one transaction. CREATE INDEX CONCURRENTLY waits
 * for open transactions without blocking other sessions, so it may wait for long.
 */
async function applyOutsideTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`SET lock_timeout = 0`);
  for (const statement of statementsOf(migration)) await client.query(statement);
  await client.query('RESET lock_timeout');
  await noteApplied(client, migration);
}

async function noteApplied(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(
    'INSERT INTO foundation.schema_migration (number, name, sha256, breaking) VALUES ($1, $2, $3, $4)',
    [migration.number, migration.name, migration.sha256, migration.breaking],
  );
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
  /** Newer, but compatible with this version: the process may run until it is replaced. */
  | { readonly kind: 'ahead'; readonly by: number }
  | { readonly kind: 'behind'; readonly missing: number }
  | { readonly kind: 'incompatible'; readonly detail: string };

/** Whether this version may run on this database. Every process checks before it takes work. */
export async function readSchemaState(
  client: pg.ClientBase | pg.Pool,
  migrations: readonly Migration[],
): Promise<SchemaState> {
  const applied = await appliedMigrations(client);
  const breaking = applied.find((row) => row.number > migrations.length && row.breaking);
  if (breaking !== undefined) {
    return {
      kind: 'incompatible',
      detail: `migration ${breaking.number} ${breaking.name} is newer than this version and incompatible with it`,
    };
  }
  if (applied.length > migrations.length) return { kind: 'ahead', by: applied.length - migrations.length };
  if (applied.length < migrations.length)
    return { kind: 'behind', missing: migrations.length - applied.length };
  return { kind: 'current' };
}
