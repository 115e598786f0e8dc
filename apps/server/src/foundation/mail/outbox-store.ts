import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import { toTimestamptz } from '../database/timestamptz.ts';
import { isEpochAtWork } from '../engine/executor-store.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { addMs } from '../instant.ts';
import type { MailOutcome } from './outbox-rule.ts';
import { retriesMax } from './outbox-rule.ts';

export interface OutboxLimits {
  /** With the columns `id`, `state`, `created_at`, `due_at`, `attempts`, `claimed_by`, `settled_at` and `reason`. */
  readonly table: string;
  /** Mail that could not be sent within this time is outdated and no longer sent. */
  readonly sendWithinMs: number;
  /** Whether mail that may have arrived is sent again. */
  readonly isRepeatable: boolean;
}

/** Whether any mail is due or claimed: one read, so that polling often is cheap. */
export async function hasOpenMail(
  database: Database,
  { table }: OutboxLimits,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (SELECT FROM ${sql.table(table)} WHERE state = 'waiting' AND due_at <= ${toTimestamptz(now)})
      OR EXISTS (SELECT FROM ${sql.table(table)} WHERE state = 'sending') AS open`.execute(database);
  return rows[0]?.open === true;
}

/** Changes nothing if the mail is not claimed. */
export async function storeOutcome(
  database: Database,
  { table }: Pick<OutboxLimits, 'table'>,
  { id }: { readonly id: string },
  outcome: MailOutcome,
): Promise<void> {
  const change =
    outcome.state === 'waiting'
      ? sql`attempts = ${outcome.attempts}, due_at = ${toTimestamptz(outcome.dueAt)}`
      : sql`settled_at = ${toTimestamptz(outcome.at)},
          reason = ${outcome.state === 'undelivered' ? outcome.reason : null}`;
  await sql`
    UPDATE ${sql.table(table)} SET state = ${outcome.state}, claimed_by = NULL, ${change}
    WHERE id = ${id} AND state = 'sending'`.execute(database);
}

/**
 * Mail claimed by a process that has ended, or by an earlier run of this one, may have arrived or not: repeatable mail
 * is due again, other mail is undelivered. Mail that has waited for too long is undelivered too. Returns how many mails
 * are newly undelivered.
 */
export async function settleLeftovers(
  database: Database,
  { table, sendWithinMs, isRepeatable }: OutboxLimits,
  epoch: number,
  now: EpochMicroseconds,
): Promise<number> {
  const at = toTimestamptz(now);
  const isLeft: RawBuilder<unknown> = sql`
    state = 'sending' AND (claimed_by = ${epoch} OR NOT ${isEpochAtWork(sql.ref('claimed_by'))})`;
  if (isRepeatable)
    await sql`
      UPDATE ${sql.table(table)} SET state = 'waiting', claimed_by = NULL, attempts = attempts + 1, due_at = ${at}
      WHERE ${isLeft} AND attempts < ${retriesMax}`.execute(database);
  const { numAffectedRows: doubtful = 0n } = await sql`
    UPDATE ${sql.table(table)}
    SET state = 'undelivered', reason = 'in_doubt', claimed_by = NULL, settled_at = ${at}
    WHERE ${isLeft}`.execute(database);
  const { numAffectedRows: late = 0n } = await sql`
    UPDATE ${sql.table(table)} SET state = 'undelivered', reason = 'too_late', settled_at = ${at}
    WHERE state = 'waiting' AND created_at < ${toTimestamptz(addMs(now, -sendWithinMs))}`.execute(database);
  return Number(doubtful + late);
}

export interface OutboxBacklog {
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly undelivered: number;
}

/**
 * Mail that is due and not sent, the age of the oldest mail that waits for a worker or for the server to become available
 * (not for a retry after a refusal), and mail abandoned in the last day.
 */
export async function readBacklog(database: Database, table: string): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
    SELECT (count(*) FILTER (WHERE due_at <= now()))::integer AS waiting,
      greatest(0, extract(epoch FROM now() - min(created_at) FILTER (WHERE attempts = 0)))::double precision
        AS "oldestSeconds",
      (SELECT count(*)::integer FROM ${sql.table(table)}
        WHERE state = 'undelivered' AND settled_at > now() - interval '1 day') AS undelivered
    FROM ${sql.table(table)} WHERE state = 'waiting'`.execute(database);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, undelivered: 0 };
}
