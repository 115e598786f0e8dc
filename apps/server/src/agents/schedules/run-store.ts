import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { dayMs } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import { isEpochAtWork } from '../../foundation/engine/executor-store.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';
import type { AnswerId } from '../answers/answer.ts';
import { timetableOf } from './schedule-store.ts';
import type { NewSchedule, RunId, RunProblem, ScheduleId, StopReason } from './schedule.ts';
import { lastDueAt, nextDueAfter } from './schedule.ts';

/** Whether any schedule is due, or any run waits or is claimed: one read, so that polling often is cheap. */
export async function hasOpenRuns(database: Database, now: EpochMicroseconds): Promise<boolean> {
  const at = toTimestamptz(now);
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (SELECT FROM agents.schedule WHERE next_run_at <= ${at})
      OR EXISTS (SELECT FROM agents.schedule_run WHERE state = 'waiting' AND retry_at <= ${at})
      OR EXISTS (SELECT FROM agents.schedule_run WHERE state = 'running') AS open`.execute(database);
  return rows[0]?.open === true;
}

/**
 * A run for each due schedule, at most `max`. Of several due times that no worker was there for, the last one runs. The
 * next due time commits with the run, so each due time has at most one.
 */
export async function insertDueRuns(
  transaction: Database,
  newId: () => RunId,
  now: EpochMicroseconds,
  max: number,
): Promise<number> {
  const at = toTimestamptz(now);
  const { rows } = await sql<{
    readonly id: string;
    readonly repeats: string;
    readonly weekday: number | null;
    readonly hour: number;
    readonly time_zone: string;
  }>`
    SELECT id, repeats, weekday, hour, time_zone FROM agents.schedule WHERE next_run_at <= ${at}
    ORDER BY next_run_at LIMIT ${max} FOR UPDATE SKIP LOCKED`.execute(transaction);
  for (const row of rows) {
    const timetable = timetableOf(row);
    await sql`
      INSERT INTO agents.schedule_run (id, schedule_id, due_at, state, retry_at)
      VALUES (${newId()}, ${row.id}, ${toTimestamptz(lastDueAt(timetable, now))}, 'waiting', ${at})
      ON CONFLICT (schedule_id, due_at) DO NOTHING`.execute(transaction);
    await sql`
      UPDATE agents.schedule SET next_run_at = ${toTimestamptz(nextDueAfter(timetable, now))} WHERE id = ${row.id}`.execute(
      transaction,
    );
  }
  return rows.length;
}

/**
 * A run at once, beside the due ones. False if the schedule has stopped, if a run of it waits or is under way, or if one
 * began in the last minute.
 */
export async function insertRunNow(
  database: Database,
  id: RunId,
  scheduleId: ScheduleId,
  now: EpochMicroseconds,
): Promise<boolean> {
  const at = toTimestamptz(now);
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO agents.schedule_run (id, schedule_id, due_at, state, retry_at)
    SELECT ${id}, schedule.id, ${at}, 'waiting', ${at} FROM agents.schedule
    WHERE schedule.id = ${scheduleId} AND stopped_at IS NULL AND NOT EXISTS (
      SELECT FROM agents.schedule_run AS other WHERE other.schedule_id = schedule.id
        AND (other.state IN ('waiting', 'running') OR other.due_at > ${at}::timestamptz - interval '1 minute')
    )
    ON CONFLICT (schedule_id, due_at) DO NOTHING`.execute(database);
  return numAffectedRows > 0n;
}

/** Runs that a worker which has ended, or an earlier run of the sweep, had claimed continue, or fail after `attemptsMax`. */
export async function releaseLeftRuns(
  transaction: Database,
  epoch: number,
  now: EpochMicroseconds,
  attemptsMax: number,
): Promise<void> {
  const at = toTimestamptz(now);
  await sql`
    UPDATE agents.schedule_run SET claimed_by = NULL, attempts = attempts + 1, problem = 'interrupted', retry_at = ${at},
      state = CASE WHEN attempts + 1 < ${attemptsMax} THEN 'waiting' ELSE 'failed' END,
      settled_at = CASE WHEN attempts + 1 < ${attemptsMax} THEN NULL ELSE ${at}::timestamptz END
    WHERE state = 'running' AND (claimed_by = ${epoch} OR NOT ${isEpochAtWork(sql.ref('claimed_by'))})`.execute(
    transaction,
  );
}

/** A run that only this process works on. */
export interface ClaimedRun extends NewSchedule {
  readonly id: RunId;
  readonly scheduleId: ScheduleId;
  readonly dueAt: EpochMicroseconds;
  /** When the sources of the last delivered answer were searched. */
  readonly lastRunAt: EpochMicroseconds | null;
  readonly attempts: number;
  readonly uploadId: string | null;
  readonly agentId: AgentId;
  readonly organization: callers.Organization;
  readonly member: { readonly id: accounts.AccountId; readonly username: string };
}

interface ClaimedRow {
  readonly id: string;
  readonly schedule_id: string;
  readonly due_at: string;
  readonly last_run_at: string | null;
  readonly attempts: number;
  readonly upload_id: string | null;
  readonly agent_id: string;
  readonly name: string;
  readonly question: string;
  readonly repeats: string;
  readonly weekday: number | null;
  readonly hour: number;
  readonly time_zone: string;
  readonly project_id: string | null;
  readonly organization_id: string;
  readonly organization_key: string;
  readonly account_id: string;
  readonly username: string;
}

export async function claimRun(
  transaction: Database,
  { epoch, now }: { readonly epoch: number; readonly now: EpochMicroseconds },
): Promise<ClaimedRun | null> {
  const { rows } = await sql<ClaimedRow>`
    WITH next AS (
      SELECT id FROM agents.schedule_run WHERE state = 'waiting' AND retry_at <= ${toTimestamptz(now)}
      ORDER BY retry_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE agents.schedule_run AS run SET state = 'running', claimed_by = ${epoch} FROM next WHERE run.id = next.id
      RETURNING run.*
    )
    SELECT claimed.id, claimed.schedule_id, claimed.due_at, claimed.attempts, claimed.upload_id, schedule.agent_id,
      schedule.name, schedule.question, schedule.repeats, schedule.weekday, schedule.hour, schedule.time_zone,
      schedule.project_id, schedule.organization_id, organization.key AS organization_key,
      schedule.account_id, account.username, (
        SELECT coalesce(answer.as_of, delivered.due_at)::text FROM agents.schedule_run AS delivered
        LEFT JOIN agents.answer ON answer.id = delivered.answer_id
        WHERE delivered.schedule_id = claimed.schedule_id AND delivered.state = 'delivered'
        ORDER BY delivered.due_at DESC LIMIT 1
      ) AS last_run_at
    FROM claimed JOIN agents.schedule ON schedule.id = claimed.schedule_id
    JOIN identity.organization AS organization ON organization.id = schedule.organization_id
    JOIN identity.account AS account ON account.id = schedule.account_id`.execute(transaction);
  return rows[0] === undefined ? null : runOf(rows[0]);
}

function runOf(row: ClaimedRow): ClaimedRun {
  return {
    id: row.id as RunId,
    scheduleId: row.schedule_id as ScheduleId,
    dueAt: fromTimestamptz(row.due_at),
    lastRunAt: row.last_run_at === null ? null : fromTimestamptz(row.last_run_at),
    attempts: row.attempts,
    uploadId: row.upload_id,
    agentId: row.agent_id as AgentId,
    name: row.name,
    question: row.question,
    ...timetableOf(row),
    projectId: row.project_id,
    organization: {
      id: row.organization_id,
      key: row.organization_key,
    } as callers.Organization,
    member: { id: row.account_id as accounts.AccountId, username: row.username },
  };
}

/** Before a byte of the file is sent. False if the claim has ended. */
export async function saveUpload(
  transaction: Database,
  { id }: ClaimedRun,
  uploadId: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agents.schedule_run SET upload_id = ${uploadId} WHERE id = ${id} AND state = 'running'`.execute(
    transaction,
  );
  return numAffectedRows > 0n;
}

export type RunOutcome =
  | {
      readonly state: 'delivered';
      readonly answerId: AnswerId;
      /** Null for mail. */
      readonly fileId: string | null;
    }
  | { readonly state: 'waiting'; readonly problem: RunProblem; readonly retryAt: EpochMicroseconds }
  | { readonly state: 'failed'; readonly problem: RunProblem }
  /** The schedule stops too. */
  | { readonly state: 'stopped'; readonly problem: StopReason };

/** Stores the outcome, and with it the mail of the run or the end of its schedule. */
export async function settleRun(
  transaction: Database,
  run: ClaimedRun,
  outcome: RunOutcome,
  now: EpochMicroseconds,
): Promise<void> {
  const at = toTimestamptz(now);
  const delivered = outcome.state === 'delivered' ? outcome : null;
  const { numAffectedRows = 0n } = await sql`
    UPDATE agents.schedule_run SET state = ${outcome.state}, claimed_by = NULL,
      attempts = attempts + ${outcome.state === 'waiting' ? 1 : 0},
      problem = ${outcome.state === 'delivered' ? null : outcome.problem},
      retry_at = ${outcome.state === 'waiting' ? toTimestamptz(outcome.retryAt) : sql.ref('retry_at')},
      settled_at = ${outcome.state === 'waiting' ? null : at},
      answer_id = ${delivered?.answerId ?? null}, file_id = ${delivered?.fileId ?? null}
    WHERE id = ${run.id} AND state = 'running'`.execute(transaction);
  if (numAffectedRows === 0n) return;
  if (delivered !== null && run.projectId === null)
    await sql`
      INSERT INTO agents.schedule_mail (id, answer_id, state, created_at, due_at)
      VALUES (${run.id}, ${delivered.answerId}, 'waiting', ${at}, ${at}) ON CONFLICT DO NOTHING`.execute(
      transaction,
    );
  if (outcome.state === 'stopped')
    await sql`
      UPDATE agents.schedule SET next_run_at = NULL, stopped_at = ${at}, stop_reason = ${outcome.problem}
      WHERE id = ${run.scheduleId} AND stopped_at IS NULL`.execute(transaction);
}

export interface RunBacklog {
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly failed: number;
}

/** Due runs that are not finished, the age of the oldest due time among them, and runs of the last day that failed. */
export async function readRunBacklog(database: Database): Promise<RunBacklog> {
  const { rows } = await sql<RunBacklog>`
    WITH open AS (
      SELECT next_run_at AS due_at FROM agents.schedule WHERE next_run_at <= now()
      UNION ALL SELECT due_at FROM agents.schedule_run WHERE state IN ('waiting', 'running'))
    SELECT count(*)::int AS waiting,
      coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::double precision AS "oldestSeconds",
      (SELECT count(*)::int FROM agents.schedule_run
        WHERE state = 'failed' AND settled_at > now() - interval '1 day') AS failed
    FROM open`.execute(database);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, failed: 0 };
}

const keptMs = 90 * dayMs;

/** Runs, with their mail, and schedules that have stopped. */
export async function removeOldRuns(database: Database, now: EpochMicroseconds): Promise<number> {
  const before = toTimestamptz(addMs(now, -keptMs));
  const remove = (
    rows: number,
    table: 'schedule_run' | 'schedule',
    column: 'settled_at' | 'stopped_at',
  ) => sql`
    DELETE FROM ${sql.table(`agents.${table}`)} WHERE id IN (
      SELECT id FROM ${sql.table(`agents.${table}`)} WHERE ${sql.ref(column)} < ${before} LIMIT ${rows}
      FOR UPDATE SKIP LOCKED)`;
  const runs = await deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await remove(rows, 'schedule_run', 'settled_at').execute(database);
    return Number(numAffectedRows);
  });
  const schedules = await deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await remove(rows, 'schedule', 'stopped_at').execute(database);
    return Number(numAffectedRows);
  });
  return runs + schedules;
}
