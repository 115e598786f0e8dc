import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';

/** What the engine's own tables say about a workflow; the only file that names their columns for this. */
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

/** The payload tables have no foreign key to the status. Only ended workflows are forgotten. */
export async function forgetWorkflows(transaction: Transaction<DB>, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM dbos.workflow_status
    WHERE workflow_uuid = ANY(${ids}) AND status NOT IN ('ENQUEUED', 'DELAYED', 'PENDING')
    RETURNING workflow_uuid AS id`.execute(transaction);
  const gone = rows.map((row) => row.id);
  for (const table of ['workflow_input', 'workflow_output', 'operation_outputs']) {
    await sql`DELETE FROM ${sql.table(`dbos.${table}`)} WHERE workflow_uuid = ANY(${gone})`.execute(
      transaction,
    );
  }
  return gone.length;
}

/** Older in real time. Compared as the column's own type and with `now()`, or the SDK's index on it would not be used. */
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
