import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { instantFromMs } from '../instant.ts';

/** Reads the state of workflows from the engine's own tables; only this file names their columns for this. */
export interface WorkflowState {
  readonly id: string;
  readonly state: 'open' | 'succeeded' | 'failed';
  /** In real time; null while open. */
  readonly endedMsAgo: number | null;
}

export async function readWorkflowStates(
  transaction: Transaction<DB>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkflowState>> {
  const { rows } = await sql<WorkflowState>`
    SELECT workflow_uuid AS id,
      CASE WHEN status IN ('ENQUEUED', 'DELAYED', 'PENDING') THEN 'open'
           WHEN status = 'SUCCESS' THEN 'succeeded' ELSE 'failed' END AS state,
      (extract(epoch FROM clock_timestamp()) * 1000 - completed_at)::float8 AS "endedMsAgo"
    FROM dbos.workflow_status WHERE workflow_uuid = ANY(${ids})`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The payload tables have no foreign key to the status. Only ended workflows are deleted. */
export async function forgetWorkflows(transaction: Transaction<DB>, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM dbos.workflow_status
    WHERE workflow_uuid = ANY(${ids}) AND status NOT IN ('ENQUEUED', 'DELAYED', 'PENDING')
    RETURNING workflow_uuid AS id`.execute(transaction);
  const gone = rows.map((row) => row.id);
  await deletePayloads(transaction, ['workflow_input', 'workflow_output', 'operation_outputs'], gone);
  return gone.length;
}

async function deletePayloads(
  transaction: Transaction<DB>,
  tables: readonly ('workflow_input' | 'workflow_output' | 'operation_outputs')[],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const table of tables) {
    await sql`DELETE FROM ${sql.table(`dbos.${table}`)} WHERE workflow_uuid = ANY(${ids})`.execute(
      transaction,
    );
  }
}

/** Columns of a run that any worker may start again. */
const requeued = sql`status = 'ENQUEUED', application_version = NULL, recovery_attempts = 0,
      completed_at = NULL, started_at_epoch_ms = NULL, owner_xid = NULL`;

/** Minimum pause of a failed run; longer the older it is. */
const restMs = 5 * 60_000;
const restShareOfAge = 0.25;
/** Afterwards it stays failed, and counts as such, until history cleanup deletes it. */
const restartedForMs = 3 * dayMs;

/**
 * Requeues failed runs of these workflows, to restart with the results of their transactions and paid calls. In real
 * time.
 */
export async function restartFailedWorkflows(
  transaction: Transaction<DB>,
  { names, limit, restShare }: RestartRequest,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE dbos.workflow_status SET ${requeued}
    WHERE workflow_uuid IN (
      SELECT workflow_uuid FROM dbos.workflow_status
      WHERE status IN ('ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') AND name = ANY(${[...names]})
        AND created_at > (extract(epoch FROM now()) * 1000)::bigint - ${restartedForMs}::bigint
        AND completed_at + ${restShare}::float8 * greatest(${restMs}, (completed_at - created_at) * ${restShareOfAge}::float8)
          < extract(epoch FROM now()) * 1000
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING workflow_uuid AS id`.execute(transaction);
  const ids = rows.map(({ id }) => id);
  await deletePayloads(transaction, ['operation_outputs', 'workflow_output'], ids);
  return ids;
}

export interface FailedRun {
  readonly id: string;
  readonly workflow: string;
  readonly failedAt: EpochMicroseconds;
  /** As the engine stored it; may contain text of third parties. */
  readonly error: string;
}

const failedStates = sql`('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')`;

/** Newest first. */
export async function listFailedRuns(database: Database, countMax: number): Promise<readonly FailedRun[]> {
  const { rows } = await sql<Omit<FailedRun, 'failedAt'> & { readonly failedAtMs: number }>`
    SELECT w.workflow_uuid AS id, w.name AS workflow, coalesce(left(o.error, 20000), '') AS error,
      coalesce(w.completed_at, w.updated_at)::float8 AS "failedAtMs"
    FROM dbos.workflow_status w LEFT JOIN dbos.workflow_output o USING (workflow_uuid)
    WHERE w.status IN ${failedStates} ORDER BY 4 DESC LIMIT ${countMax}`.execute(database);
  return rows.map(({ failedAtMs, error, ...run }) => ({
    ...run,
    failedAt: instantFromMs(Math.trunc(failedAtMs)),
    error: messageOf(error),
  }));
}

/** The engine stores errors as JSON with a message. */
function messageOf(stored: string): string {
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(stored) ?? [];
  return message === undefined ? stored.slice(0, 300) : (JSON.parse(message) as string).slice(0, 300);
}

/** Requeues one failed run, as `restartFailedWorkflows` does; false if it is not failed any more. */
export async function retryFailedRun(transaction: Transaction<DB>, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE dbos.workflow_status SET ${requeued}
    WHERE workflow_uuid = ${id} AND status IN ${failedStates} RETURNING workflow_uuid AS id`.execute(
    transaction,
  );
  await deletePayloads(
    transaction,
    ['operation_outputs', 'workflow_output'],
    rows.map((row) => row.id),
  );
  return rows.length > 0;
}

interface RestartRequest {
  readonly names: readonly string[];
  readonly limit: number;
  /** 1, or less in tests. */
  readonly restShare: number;
}

/** Older in real time. Compared as the column's type and with `now()`, or the SDK's index would not be used. */
export function selectEndedWorkflows(older: {
  readonly thanMs: number;
  readonly limit: number;
}): RawBuilder<{ readonly id: string }> {
  return sql<{ readonly id: string }>`
    SELECT workflow_uuid AS id FROM dbos.workflow_status
    WHERE completed_at < (extract(epoch FROM now()) * 1000)::bigint - ${older.thanMs}::bigint
      AND status NOT IN ('ENQUEUED', 'DELAYED', 'PENDING')
    ORDER BY completed_at LIMIT ${older.limit}`;
}

export async function findEndedWorkflows(
  database: Database,
  older: { readonly thanMs: number; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await selectEndedWorkflows(older).execute(database);
  return rows.map((row) => row.id);
}
