import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import type { WorkflowVersions } from './executor-store.ts';
import { isLockHeld } from './executor-store.ts';

// In the engine's tables, `application_version` of a workflow is the release that began it, and null before. A claim
// takes work that its own release began, and unstarted work only where its release is the latest of the table
// `application_versions`.

/** Marks work that its claimer did not know. No process has this release, so it waits for another. */
const unknownWorkflow = 'unknown-workflow';

/** The engine leaves a claim of an unknown workflow running forever. */
export async function returnUnknownWorkflows(
  database: Database,
  own: { readonly executor: string; readonly versions: WorkflowVersions },
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL, application_version = ${unknownWorkflow}
    WHERE status = 'PENDING' AND executor_id = ${own.executor} AND name <> ALL(${Object.keys(own.versions)})
    RETURNING name`.execute(database);
  return rows.map((row) => row.name);
}

/** Longer than a claim takes to start, even on a slow database. */
const lostClaimAfterMs = 30_000;

/**
 * The engine leaves a claim running forever after a database error between claim and start. A claim that starts after
 * it was requeued is refused at its first step, because the claim has another owner by then.
 */
export async function returnLostClaims(
  database: Database,
  executor: string,
  running: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE dbos.workflow_status SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL
    WHERE status = 'PENDING' AND executor_id = ${executor} AND workflow_uuid <> ALL(${running})
      AND started_at_epoch_ms < extract(epoch FROM clock_timestamp()) * 1000 - ${lostClaimAfterMs}
    RETURNING workflow_uuid AS id`.execute(database);
  return rows.map((row) => row.id);
}

/**
 * New work goes to the most recently started running process, so that older releases run out of work. Processes without
 * workflows only make paid calls.
 */
export async function routeNewWork(database: Database): Promise<void> {
  await sql`
    WITH newest AS (
      SELECT e.application_version AS release FROM foundation.executor e
      WHERE e.ended_at IS NULL AND e.workflow_versions <> '{}' AND ${isLockHeld(sql.ref('e.epoch'))}
      ORDER BY e.epoch DESC LIMIT 1
    ), latest AS (
      SELECT version_name, version_timestamp FROM dbos.application_versions
      ORDER BY version_timestamp DESC LIMIT 1
    )
    UPDATE dbos.application_versions v
    SET version_timestamp = greatest(latest.version_timestamp + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    FROM newest, latest
    WHERE v.version_name = newest.release AND latest.version_name <> newest.release`.execute(database);
}

export interface AdoptedWorkflow {
  readonly id: string;
  readonly name: string;
  /** Null where the release is unknown. */
  readonly begunByVersion: number | null;
}

/** Queued work that a release without a running process began, and that this release knows. */
export async function findAbandonedWorkflows(
  transaction: Transaction<DB>,
  versions: WorkflowVersions,
  limit: number,
): Promise<readonly AdoptedWorkflow[]> {
  const { rows } = await sql<AdoptedWorkflow>`
    SELECT w.workflow_uuid AS id, w.name, (
        SELECT (e.workflow_versions ->> w.name)::int FROM foundation.executor e
        WHERE e.application_version = w.application_version ORDER BY e.epoch DESC LIMIT 1) AS "begunByVersion"
    FROM dbos.workflow_status w
    WHERE ${isAbandoned} AND w.name = ANY(${Object.keys(versions)})
    LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED`.execute(transaction);
  return rows;
}

/** For the partial index of `migrateEngine`: without it every query would read the whole backlog. */
const isAbandoned = sql`w.status IN ('ENQUEUED', 'DELAYED') AND w.application_version IS NOT NULL
  AND NOT EXISTS (SELECT FROM foundation.executor e
    WHERE e.ended_at IS NULL AND e.application_version = w.application_version)`;

export async function adoptWorkflows(
  transaction: Transaction<DB>,
  release: string,
  ids: { readonly all: readonly string[]; readonly restarted: readonly string[] },
): Promise<void> {
  await sql`DELETE FROM dbos.operation_outputs WHERE workflow_uuid = ANY(${ids.restarted})`.execute(
    transaction,
  );
  await sql`UPDATE dbos.workflow_status SET application_version = ${release}, recovery_attempts = 0
    WHERE workflow_uuid = ANY(${ids.all})`.execute(transaction);
}

/** Work that no running process can continue, by workflow. */
export async function countStrandedWorkflows(
  database: Database,
): Promise<readonly { readonly workflow: string; readonly count: number }[]> {
  const { rows } = await sql<{ readonly workflow: string; readonly count: number }>`
    SELECT w.name AS workflow, count(*)::int AS count FROM dbos.workflow_status w
    WHERE ${isAbandoned} GROUP BY w.name ORDER BY w.name`.execute(database);
  return rows;
}
