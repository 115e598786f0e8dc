import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';
import type { AnswerId } from '../answers/answer.ts';
import type { RunProblem, RunState, Schedule, ScheduleId, StopReason, Timetable } from './schedule.ts';

type Organization = Pick<callers.Organization, 'id'>;

interface ScheduleRow {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly account_id: string;
  readonly name: string;
  readonly question: string;
  readonly repeats: string;
  readonly weekday: number | null;
  readonly hour: number;
  readonly time_zone: string;
  readonly project_id: string | null;
  readonly created_at: string;
  readonly next_run_at: string | null;
  readonly stopped_at: string | null;
  readonly stop_reason: string | null;
  readonly run_due_at: string | null;
  readonly run_state: string | null;
  readonly run_problem: string | null;
  readonly run_settled_at: string | null;
  readonly run_answer_id: string | null;
  readonly run_file_id: string | null;
}

const instantOrNull = (value: string | null): EpochMicroseconds | null =>
  value === null ? null : fromTimestamptz(value);

export function timetableOf(row: Pick<ScheduleRow, 'repeats' | 'weekday' | 'hour' | 'time_zone'>): Timetable {
  const { weekday, hour } = row;
  return { repeats: row.repeats as Timetable['repeats'], weekday, hour, timeZone: row.time_zone };
}

function scheduleOf(row: ScheduleRow): Schedule {
  return {
    id: row.id as ScheduleId,
    agentId: row.agent_id as AgentId,
    agentName: row.agent_name,
    accountId: row.account_id as accounts.AccountId,
    name: row.name,
    question: row.question,
    ...timetableOf(row),
    projectId: row.project_id,
    createdAt: fromTimestamptz(row.created_at),
    nextRunAt: instantOrNull(row.next_run_at),
    stopped:
      row.stopped_at === null
        ? null
        : { at: fromTimestamptz(row.stopped_at), reason: row.stop_reason as StopReason },
    lastRun:
      row.run_due_at === null
        ? null
        : {
            dueAt: fromTimestamptz(row.run_due_at),
            state: row.run_state as RunState,
            problem: row.run_problem as RunProblem | null,
            settledAt: instantOrNull(row.run_settled_at),
            answerId: row.run_answer_id as AnswerId | null,
            fileId: row.run_file_id,
          },
  };
}

const columnsWithLastRun = sql`
  SELECT schedule.id, agent_id, agent_name, account_id, name, question, repeats, weekday, hour, time_zone, project_id,
    created_at, next_run_at, stopped_at, stop_reason, last.due_at AS run_due_at, last.state AS run_state,
    last.problem AS run_problem, last.settled_at AS run_settled_at, last.answer_id AS run_answer_id,
    last.file_id AS run_file_id
  FROM agents.schedule
  LEFT JOIN LATERAL (
    SELECT * FROM agents.schedule_run AS run WHERE run.schedule_id = schedule.id ORDER BY due_at DESC LIMIT 1
  ) AS last ON true`;

/** The schedules of a member, newest first; of one agent, or with one id. */
export async function selectSchedules(
  database: Database,
  { id }: Organization,
  accountId: accounts.AccountId,
  only: { readonly agentId?: string; readonly id?: ScheduleId } = {},
): Promise<readonly Schedule[]> {
  const { rows } = await sql<ScheduleRow>`
    ${columnsWithLastRun}
    WHERE organization_id = ${id} AND account_id = ${accountId}
      AND (${only.agentId ?? null}::uuid IS NULL OR agent_id = ${only.agentId ?? null}::uuid)
      AND (${only.id ?? null}::uuid IS NULL OR schedule.id = ${only.id ?? null}::uuid)
    ORDER BY created_at DESC, schedule.id DESC`.execute(database);
  return rows.map(scheduleOf);
}

/** Those of an account that have not stopped, in all organizations, newest first. */
export async function selectActiveSchedulesOf(
  database: Database,
  accountId: accounts.AccountId,
  limit: number,
): Promise<readonly Schedule[]> {
  const { rows } = await sql<ScheduleRow>`
    ${columnsWithLastRun}
    WHERE account_id = ${accountId} AND stopped_at IS NULL ORDER BY created_at DESC, schedule.id DESC
    LIMIT ${limit}`.execute(database);
  return rows.map(scheduleOf);
}

/** Of the member and of the organization, stopped ones included. The organization is locked until the transaction ends. */
export async function countSchedules(
  transaction: Database,
  { id }: Organization,
  accountId: accounts.AccountId,
): Promise<{ readonly ofMember: number; readonly ofOrganization: number }> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`agents.schedule ${id}`}, 0))`.execute(
    transaction,
  );
  const { rows } = await sql<{ of_member: number; of_organization: number }>`
    SELECT (count(*) FILTER (WHERE account_id = ${accountId}))::int AS of_member, count(*)::int AS of_organization
    FROM agents.schedule WHERE organization_id = ${id}`.execute(transaction);
  return { ofMember: rows[0]?.of_member ?? 0, ofOrganization: rows[0]?.of_organization ?? 0 };
}

export async function insertSchedule(
  database: Database,
  { id }: Organization,
  schedule: Schedule & { readonly nextRunAt: EpochMicroseconds },
): Promise<void> {
  await sql`
    INSERT INTO agents.schedule (id, organization_id, agent_id, agent_name, account_id, name, question, repeats, weekday,
      hour, time_zone, project_id, created_at, next_run_at)
    VALUES (${schedule.id}, ${id}, ${schedule.agentId}, ${schedule.agentName}, ${schedule.accountId}, ${schedule.name},
      ${schedule.question}, ${schedule.repeats}, ${schedule.weekday}, ${schedule.hour}, ${schedule.timeZone},
      ${schedule.projectId}, ${toTimestamptz(schedule.createdAt)},
      ${toTimestamptz(schedule.nextRunAt)})`.execute(database);
}

/** With its runs and their mail that was not sent. */
export async function deleteSchedule(database: Database, id: ScheduleId): Promise<void> {
  await sql`DELETE FROM agents.schedule WHERE id = ${id}`.execute(database);
}

/** One or all of an account, with their runs and mail that was not sent. */
export async function deleteSchedulesOf(
  database: Database,
  accountId: accounts.AccountId,
  only: string | null = null,
): Promise<readonly { readonly id: string; readonly agentId: string; readonly name: string }[]> {
  const { rows } = await sql<{ id: string; agentId: string; name: string }>`
    DELETE FROM agents.schedule WHERE account_id = ${accountId} AND (${only}::uuid IS NULL OR id = ${only}::uuid)
    RETURNING id, agent_id AS "agentId", name`.execute(database);
  return rows;
}
