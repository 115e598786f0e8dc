import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { UndeliveredReason } from '../../foundation/mail/outbox-rule.ts';
import type { OutboxLimits } from '../../foundation/mail/outbox-store.ts';
import type { ClaimedMail, MailClaim } from '../../foundation/mail/outbox.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';

/** As for reports: mail that arrives twice is worse than one that is listed as undelivered. */
export const scheduleMailLimits = {
  table: 'agents.schedule_mail',
  sendWithinMs: dayMs,
  isRepeatable: false,
} as const satisfies OutboxLimits;

export interface ClaimedScheduleMail extends ClaimedMail {
  readonly answerId: string;
  readonly agentId: AgentId;
  readonly scheduleId: string;
  readonly name: string;
  readonly question: string;
  readonly timeZone: string;
  readonly dueAt: EpochMicroseconds;
  readonly organizationKey: string;
  readonly member: { readonly id: accounts.AccountId; readonly username: string };
  readonly email: string;
}

/** The next mail that is due. Mail to accounts that are about to be deleted is not sent. */
export async function claimScheduleMail(
  transaction: Database,
  { epoch, now }: MailClaim,
): Promise<ClaimedScheduleMail | null> {
  const { rows } = await sql<{
    id: string;
    attempts: number;
    answer_id: string;
    agent_id: string;
    schedule_id: string;
    name: string;
    question: string;
    time_zone: string;
    run_due_at: string;
    organization_key: string;
    account_id: string;
    username: string;
    email: string;
  }>`
    WITH next AS (
      SELECT mail.id, schedule.agent_id, schedule.id AS schedule_id, schedule.name, schedule.question,
        schedule.time_zone, run.due_at AS run_due_at, organization.key AS organization_key, schedule.account_id,
        account.username, account.email
      FROM agents.schedule_mail AS mail
      JOIN agents.schedule_run AS run ON run.id = mail.id
      JOIN agents.schedule ON schedule.id = run.schedule_id
      JOIN identity.organization AS organization ON organization.id = schedule.organization_id
      JOIN identity.account AS account ON account.id = schedule.account_id
      WHERE mail.state = 'waiting' AND mail.due_at <= ${toTimestamptz(now)}
        AND NOT EXISTS (SELECT FROM identity.account_deletion AS ending WHERE ending.account_id = account.id)
      ORDER BY mail.due_at, mail.id LIMIT 1 FOR UPDATE OF mail SKIP LOCKED)
    UPDATE agents.schedule_mail AS mail SET state = 'sending', claimed_by = ${epoch} FROM next WHERE mail.id = next.id
    RETURNING mail.id, mail.attempts, mail.answer_id, next.agent_id, next.schedule_id, next.name, next.question,
      next.time_zone, next.run_due_at, next.organization_key, next.account_id, next.username, next.email`.execute(
    transaction,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    id: row.id,
    attempts: row.attempts,
    answerId: row.answer_id,
    agentId: row.agent_id as AgentId,
    scheduleId: row.schedule_id,
    name: row.name,
    question: row.question,
    timeZone: row.time_zone,
    dueAt: fromTimestamptz(row.run_due_at),
    organizationKey: row.organization_key,
    member: { id: row.account_id as accounts.AccountId, username: row.username },
    email: row.email,
  };
}

/** Newest first; `period` is the due time. */
export async function readUndeliveredScheduleMail(
  database: Database,
  rowsMax: number,
): Promise<
  readonly {
    readonly settledAt: string;
    readonly name: string;
    readonly period: string;
    readonly reason: UndeliveredReason;
    readonly email: string;
  }[]
> {
  const { rows } = await sql<{
    settledAt: string;
    name: string;
    period: string;
    reason: UndeliveredReason;
    email: string;
  }>`
    SELECT mail.settled_at AS "settledAt", schedule.name, run.due_at::text AS period, mail.reason, account.email
    FROM agents.schedule_mail AS mail JOIN agents.schedule_run AS run ON run.id = mail.id
    JOIN agents.schedule ON schedule.id = run.schedule_id
    JOIN identity.account AS account ON account.id = schedule.account_id
    WHERE mail.state = 'undelivered' ORDER BY mail.settled_at DESC, mail.id LIMIT ${rowsMax}`.execute(
    database,
  );
  return rows;
}

/** After a restore: mail of the backup may have been sent since. */
export async function stopRestoredScheduleMail(database: Database, now: EpochMicroseconds): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agents.schedule_mail
    SET state = 'undelivered', reason = 'in_doubt', claimed_by = NULL, settled_at = ${toTimestamptz(now)}
    WHERE state IN ('waiting', 'sending')`.execute(database);
  return Number(numAffectedRows);
}
