import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import { isEpochAtWork } from '../foundation/engine/executor-store.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { MailedKind, MailLanguage } from './subscription-store.ts';

export type Purpose = 'confirm' | MailedKind;

/** Why a mail is undelivered. `in_doubt`: it may have arrived, so it is not sent again. */
export type UndeliveredReason =
  | 'in_doubt'
  | 'address_refused'
  | 'message_refused'
  | 'attempts_exhausted'
  | 'too_late';

/** A mail that only this process may send, once. */
export interface ClaimedDelivery {
  readonly id: Id<'delivery'>;
  readonly subscriptionId: Id<'subscription'>;
  readonly purpose: Purpose;
  readonly period: string | null;
  readonly attempts: number;
  readonly email: string;
  readonly language: MailLanguage;
  readonly isConfirmed: boolean;
}

/** Mail that could not be sent within a day is outdated and no longer sent. */
export const sendWithinMs = dayMs;

/** One at a time per subscription: a second request before the mail is sent adds no second mail. */
export async function insertConfirmation(
  database: Database,
  request: {
    readonly id: Id<'delivery'>;
    readonly subscriptionId: Id<'subscription'>;
    readonly now: EpochMicroseconds;
  },
): Promise<void> {
  const { id, subscriptionId, now } = request;
  const at = toTimestamptz(now);
  await sql`
    INSERT INTO mailing.delivery (id, subscription_id, purpose, state, created_at, due_at)
    SELECT ${id}, ${subscriptionId}, 'confirm', 'waiting', ${at}, ${at}
    WHERE NOT EXISTS (
      SELECT FROM mailing.delivery
      WHERE subscription_id = ${subscriptionId} AND purpose = 'confirm' AND state = 'waiting')`.execute(
    database,
  );
}

/**
 * Claims the next mail that is due. After the commit no other process sends it, and it is never sent again. Its
 * subscription is locked as well: a concurrent end takes effect before or after, and not in between.
 */
export async function claimDelivery(
  database: Database,
  {
    epoch,
    tokenHash,
    now,
  }: { readonly epoch: number; readonly tokenHash: Buffer; readonly now: EpochMicroseconds },
): Promise<ClaimedDelivery | null> {
  const { rows } = await sql<ClaimedDelivery>`
    WITH next AS (
      SELECT d.id, s.email, s.language, s.confirmed_at IS NOT NULL AS "isConfirmed"
      FROM mailing.delivery d JOIN mailing.subscription s ON s.id = d.subscription_id
      WHERE d.state = 'waiting' AND d.due_at <= ${toTimestamptz(now)} AND s.ended_at IS NULL
      ORDER BY (d.purpose <> 'confirm'), d.due_at, d.id LIMIT 1
      FOR UPDATE OF d SKIP LOCKED FOR SHARE OF s SKIP LOCKED)
    UPDATE mailing.delivery d SET state = 'sending', claimed_by = ${epoch}, token_hash = ${tokenHash}
    FROM next WHERE d.id = next.id
    RETURNING d.id, d.subscription_id AS "subscriptionId", d.purpose, d.period, d.attempts, next.email,
      next.language, next."isConfirmed"`.execute(database);
  return rows[0] ?? null;
}

/** Final states. */
export type DeliveryEnd =
  | { readonly state: 'sent' | 'cancelled' }
  | { readonly state: 'undelivered'; readonly reason: UndeliveredReason };

export async function settleDelivery(
  database: Database,
  { id }: ClaimedDelivery,
  end: DeliveryEnd,
  now: EpochMicroseconds,
): Promise<void> {
  const reason = end.state === 'undelivered' ? end.reason : null;
  await sql`
    UPDATE mailing.delivery
    SET state = ${end.state}, reason = ${reason}, claimed_by = NULL, settled_at = ${toTimestamptz(now)}
    WHERE id = ${id} AND state = 'sending'`.execute(database);
}

/** Only for mail that the server has certainly not accepted. Cancels mail of ended subscriptions. */
export async function markWaiting(
  database: Database,
  { id, subscriptionId }: ClaimedDelivery,
  {
    attempts,
    dueAt,
    now,
  }: { readonly attempts: number; readonly dueAt: EpochMicroseconds; readonly now: EpochMicroseconds },
): Promise<void> {
  const { rows } = await sql<{ ended: boolean }>`
    SELECT ended_at IS NOT NULL AS ended FROM mailing.subscription WHERE id = ${subscriptionId} FOR SHARE`.execute(
    database,
  );
  const ended = rows[0]?.ended ?? true;
  await sql`
    UPDATE mailing.delivery
    SET state = ${ended ? 'cancelled' : 'waiting'}, settled_at = ${ended ? toTimestamptz(now) : null},
      claimed_by = NULL, attempts = ${attempts}, due_at = ${toTimestamptz(dueAt)}
    WHERE id = ${id} AND state = 'sending'`.execute(database);
}

export async function cancelWaiting(
  database: Database,
  subscriptionId: Id<'subscription'>,
  purposes: readonly Purpose[],
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    UPDATE mailing.delivery SET state = 'cancelled', settled_at = ${toTimestamptz(now)}
    WHERE subscription_id = ${subscriptionId} AND state = 'waiting' AND purpose = ANY (${[...purposes]})`.execute(
    database,
  );
}

/**
 * Mail claimed by a process that has ended, or by an earlier run of this one, may have arrived or not: it is listed as
 * undelivered instead of being sent twice. Mail that has waited for too long is listed too.
 */
export async function settleLeftovers(
  database: Database,
  epoch: number,
  now: EpochMicroseconds,
): Promise<number> {
  const at = toTimestamptz(now);
  const { numAffectedRows: doubtful = 0n } = await sql`
    UPDATE mailing.delivery SET state = 'undelivered', reason = 'in_doubt', claimed_by = NULL, settled_at = ${at}
    WHERE state = 'sending' AND (claimed_by = ${epoch} OR NOT ${isEpochAtWork(sql.ref('claimed_by'))})`.execute(
    database,
  );
  const { numAffectedRows: late = 0n } = await sql`
    UPDATE mailing.delivery SET state = 'undelivered', reason = 'too_late', settled_at = ${at}
    WHERE state = 'waiting' AND created_at < ${toTimestamptz(addMs(now, -sendWithinMs))}`.execute(database);
  return Number(doubtful + late);
}

export interface UndeliveredMail {
  readonly settledAt: string;
  readonly purpose: Purpose;
  readonly period: string | null;
  readonly reason: UndeliveredReason;
  readonly subscriptionId: string;
  /** Null if the subscription has ended. */
  readonly email: string | null;
}

/** Newest first. */
export async function readUndelivered(
  database: Database,
  rowsMax: number,
): Promise<readonly UndeliveredMail[]> {
  const { rows } = await sql<UndeliveredMail>`
    SELECT d.settled_at AS "settledAt", d.purpose, d.period, d.reason, d.subscription_id AS "subscriptionId", s.email
    FROM mailing.delivery d JOIN mailing.subscription s ON s.id = d.subscription_id
    WHERE d.state = 'undelivered' ORDER BY d.settled_at DESC, d.id LIMIT ${rowsMax}`.execute(database);
  return rows;
}

/** Mail that is due and not sent, and mail abandoned in the last day. */
export async function countOpenDeliveries(
  database: Database,
): Promise<{ readonly waiting: number; readonly undelivered: number }> {
  const { rows } = await sql<{ waiting: number; undelivered: number }>`
    SELECT (SELECT count(*)::integer FROM mailing.delivery WHERE state = 'waiting' AND due_at <= now()) AS waiting,
      (SELECT count(*)::integer FROM mailing.delivery
        WHERE state = 'undelivered' AND settled_at > now() - interval '1 day') AS undelivered`.execute(
    database,
  );
  return rows[0] ?? { waiting: 0, undelivered: 0 };
}
