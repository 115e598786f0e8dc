import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';
import type pg from 'pg';

import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import { preparedAs } from '../database/prepared-statement.ts';

/** Advisory locks are pairs: this class, and the epoch. Pair with 0: the reconciler's turn. */
export const executorLockClass = 1_684_107_890;

/** A transaction of a suspended process must not block its rows forever. */
const fencedIdleMs = 5_000;

const prefix = 'epoch-';
export const executorName = (epoch: number): string => `${prefix}${epoch}`;

/** By the name of the workflow. */
export type WorkflowVersions = Readonly<Record<string, number>>;

export interface ExecutorDescription {
  readonly host: string;
  readonly processId: number;
  readonly release: string;
  readonly versions: WorkflowVersions;
}

/** The row becomes visible only once its lock is taken: every visible live executor has a lock. */
export async function registerExecutor(session: pg.Client, self: ExecutorDescription): Promise<number> {
  await session.query('BEGIN');
  const { rows } = await session.query<{ epoch: number }>(
    `INSERT INTO foundation.executor (host, process_id, application_version, workflow_versions)
     VALUES ($1, $2, $3, $4) RETURNING epoch`,
    [self.host, self.processId, self.release, JSON.stringify(self.versions)],
  );
  const epoch = rows[0]?.epoch ?? 0;
  await session.query('SELECT pg_advisory_lock($1, $2)', [executorLockClass, epoch]);
  await session.query('COMMIT');
  return epoch;
}

/**
 * For a session that replaces a broken one. `busy`: the broken session has not ended yet, or another process checks the lock.
 */
export async function lockExecutorAgain(
  session: pg.Client,
  epoch: number,
): Promise<'locked' | 'busy' | 'ended'> {
  const { rows } = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    executorLockClass,
    epoch,
  ]);
  if (rows[0]?.locked !== true) return 'busy';
  const { rowCount } = await session.query(
    `UPDATE foundation.executor SET lock_free_since = NULL, lock_free_server_start = NULL
     WHERE epoch = $1 AND ended_at IS NULL`,
    [epoch],
  );
  return rowCount === 1 ? 'locked' : 'ended';
}

/** Closing the session alone frees the lock at an unknown later time: the server does not confirm the end of a session. */
export async function unlockExecutor(session: pg.Client): Promise<void> {
  await session.query('SELECT pg_advisory_unlock_all()');
}

/** True while the epoch is active, which it stays at least until this transaction ends. */
export async function holdEpoch(transaction: Transaction<DB>, epoch: number): Promise<boolean> {
  const { rows } = await sql`${preparedAs('hold-epoch')}
    SELECT set_config('idle_in_transaction_session_timeout', ${String(fencedIdleMs)}, true)
    FROM foundation.executor WHERE epoch = ${epoch} AND ended_at IS NULL FOR SHARE`.execute(transaction);
  return rows.length === 1;
}

export function isLockHeld(epoch: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`EXISTS (
    SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted
      AND l.classid = ${executorLockClass}::oid AND l.objid = ${epoch}::oid AND l.objsubid = 2)`;
}

/**
 * Records since when the lock of an executor is free, so that a watcher that is killed as well loses no time. A record
 * from before a restart of PostgreSQL is replaced: that restart freed every lock. A row whose transaction is open is
 * left for the next check.
 */
export async function noteFreeLocks(database: Database): Promise<void> {
  await sql`
    UPDATE foundation.executor
    SET lock_free_since = clock_timestamp(), lock_free_server_start = pg_postmaster_start_time()
    WHERE epoch IN (
      SELECT e.epoch FROM foundation.executor e
      WHERE e.ended_at IS NULL AND e.lock_free_server_start IS DISTINCT FROM pg_postmaster_start_time()
        AND NOT ${isLockHeld(sql.ref('e.epoch'))}
      FOR UPDATE SKIP LOCKED)`.execute(database);
}

/** Executors that have not ended, but whose lock has been free for this long while PostgreSQL ran. */
export async function findLostEpochs(database: Database, freeForMs: number): Promise<readonly number[]> {
  const { rows } = await sql<{ epoch: number }>`
    SELECT e.epoch FROM foundation.executor e
    WHERE e.ended_at IS NULL AND e.lock_free_server_start = pg_postmaster_start_time()
      AND e.lock_free_since <= clock_timestamp() - make_interval(secs => ${freeForMs / 1000})
    ORDER BY e.epoch`.execute(database);
  return rows.map((row) => row.epoch);
}

/** Taking the lock of the lost epoch for a moment proves that it is free; the caller's own epoch must be active. */
export async function endEpoch(database: Database, epoch: number, judge: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await holdEpoch(transaction, judge))) return false;
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${executorLockClass}::int, ${epoch}::int) AS locked`.execute(
      transaction,
    );
    if (rows[0]?.locked !== true) return false;
    return stampEnd(transaction, epoch, judge);
  });
}

/** A normal stop: its remaining work is free for others at once. */
export async function leaveEpoch(database: Database, epoch: number): Promise<void> {
  await database.transaction().execute((transaction) => stampEnd(transaction, epoch, epoch));
}

/** Waits for open transactions of the epoch, so that its end is stamped after its last commit. */
async function stampEnd(transaction: Transaction<DB>, epoch: number, endedBy: number): Promise<boolean> {
  await sql`SELECT FROM foundation.executor WHERE epoch = ${epoch} FOR UPDATE`.execute(transaction);
  const { numUpdatedRows } = await transaction
    .updateTable('foundation.executor')
    .set({ ended_at: sql<string>`clock_timestamp()`, ended_by: endedBy })
    .where('epoch', '=', epoch)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Requeues the running work of ended executors, whatever release it belongs to: of those that died, and of those
 * that resumed and claimed more. Conditional on the executor, so two survivors never return the same claim.
 */
export async function returnOrphanedWorkflows(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE dbos.workflow_status w SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL
    FROM foundation.executor e
    WHERE w.status = 'PENDING' AND w.executor_id = ${prefix} || e.epoch AND e.ended_at IS NOT NULL
    RETURNING w.workflow_uuid AS id`.execute(database);
  return rows.map((row) => row.id);
}

/** Whether the process of this epoch may still work; once false it stays so. */
export function isEpochAtWork(epoch: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`EXISTS (SELECT FROM foundation.executor e WHERE e.epoch = ${epoch} AND e.ended_at IS NULL)`;
}
