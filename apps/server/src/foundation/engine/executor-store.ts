import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type pg from 'pg';

import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';

/** Advisory locks are pairs: this class, and the epoch. Pair with 0: the reconciler's turn. */
export const executorLockClass = 1_684_107_890;

/** A transaction of a process that fell asleep must not hold its row locks for ever. */
const fencedIdleMs = 5_000;

const prefix = 'epoch-';
export const executorName = (epoch: number): string => `${prefix}${epoch}`;

export interface ExecutorDescription {
  readonly host: string;
  readonly processId: number;
  readonly applicationVersion: string;
}

/** The row becomes visible only once its lock is held: no one ever sees a live executor without a lock. */
export async function registerExecutor(session: pg.Client, self: ExecutorDescription): Promise<number> {
  await session.query('BEGIN');
  const { rows } = await session.query<{ epoch: number }>(
    `INSERT INTO foundation.executor (host, process_id, application_version) VALUES ($1, $2, $3) RETURNING epoch`,
    [self.host, self.processId, self.applicationVersion],
  );
  const epoch = rows[0]?.epoch ?? 0;
  await session.query('SELECT pg_advisory_lock($1, $2)', [executorLockClass, epoch]);
  await session.query('COMMIT');
  return epoch;
}

/** True while the epoch lasts, and it lasts at least until this transaction is over. */
export async function holdEpoch(transaction: Transaction<DB>, epoch: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT set_config('idle_in_transaction_session_timeout', ${String(fencedIdleMs)}, true)
    FROM foundation.executor WHERE epoch = ${epoch} AND ended_at IS NULL FOR SHARE`.execute(transaction);
  return rows.length === 1;
}

/** Executors that say they live, but whose lock nobody holds at this moment. */
export async function findUnlockedEpochs(database: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ epoch: number }>`
    SELECT e.epoch FROM foundation.executor e
    WHERE e.ended_at IS NULL AND NOT EXISTS (
      SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted
        AND l.classid = ${executorLockClass}::oid AND l.objid = e.epoch::oid AND l.objsubid = 2)`.execute(
    database,
  );
  return rows.map((row) => row.epoch);
}

/** Holding the lock of the dead for a moment proves that it is free; the judge itself must still be in office. */
export async function endEpoch(database: Database, epoch: number, judge: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await holdEpoch(transaction, judge))) return false;
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${executorLockClass}::int, ${epoch}::int) AS locked`.execute(
      transaction,
    );
    if (rows[0]?.locked !== true) return false;
    // Waits for what the epoch has open, so that its end is stamped after its last commit.
    await sql`SELECT FROM foundation.executor WHERE epoch = ${epoch} FOR UPDATE`.execute(transaction);
    const { numUpdatedRows } = await transaction
      .updateTable('foundation.executor')
      .set({ ended_at: sql<string>`clock_timestamp()`, ended_by: judge })
      .where('epoch', '=', epoch)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** In good order: what is left of its work is free for others at once. */
export async function leaveEpoch(database: Database, epoch: number): Promise<void> {
  await database
    .updateTable('foundation.executor')
    .set({ ended_at: sql<string>`clock_timestamp()`, ended_by: epoch })
    .where('epoch', '=', epoch)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ended executors that still have work in their name: those who died, and those who woke and grasped for more. */
export async function findOrphanedExecutors(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT w.executor_id AS name
    FROM dbos.workflow_status w
    JOIN foundation.executor e ON w.executor_id = ${prefix} || e.epoch
    WHERE w.status = 'PENDING' AND e.ended_at IS NOT NULL`.execute(database);
  return rows.map((row) => row.name);
}
