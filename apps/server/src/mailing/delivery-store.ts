import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { MailOutcome, UndeliveredReason } from '../foundation/mail/outbox-rule.ts';
import type { OutboxLimits } from '../foundation/mail/outbox-store.ts';
import { storeOutcome } from '../foundation/mail/outbox-store.ts';
import type { ClaimedMail, MailClaim } from '../foundation/mail/outbox.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { createSecretToken, secretTokenHash } from '../foundation/secret-token.ts';
import type { MailedKind } from './subscription-store.ts';

export type Purpose = 'confirm' | MailedKind;

export interface ClaimedDelivery extends ClaimedMail {
  readonly subscriptionId: Id<'subscription'>;
  readonly purpose: Purpose;
  readonly period: string | null;
  readonly email: string;
  readonly language: ReaderLanguage;
  readonly isConfirmed: boolean;
  /** The secret of the links in the mail. */
  readonly token: string;
}

/** A report that arrives twice is worse than one that is listed as undelivered. */
export const deliveryLimits = {
  table: 'mailing.delivery',
  sendWithinMs: dayMs,
  isRepeatable: false,
} as const satisfies OutboxLimits;

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
 * Claims the next mail that is due. Its subscription is locked as well: a concurrent end takes effect before
 * or after, and not in between.
 */
export async function claimDelivery(
  database: Database,
  { epoch, now }: MailClaim,
): Promise<ClaimedDelivery | null> {
  const token = createSecretToken();
  const { rows } = await sql<Omit<ClaimedDelivery, 'token'>>`
    WITH next AS (
      SELECT d.id, s.email, s.language, s.confirmed_at IS NOT NULL AS "isConfirmed"
      FROM mailing.delivery d JOIN mailing.subscription s ON s.id = d.subscription_id
      WHERE d.state = 'waiting' AND d.due_at <= ${toTimestamptz(now)} AND s.ended_at IS NULL
      ORDER BY (d.purpose <> 'confirm'), d.due_at, d.id LIMIT 1
      FOR UPDATE OF d SKIP LOCKED FOR SHARE OF s SKIP LOCKED)
    UPDATE mailing.delivery d SET state = 'sending', claimed_by = ${epoch}, token_hash = ${secretTokenHash(token)}
    FROM next WHERE d.id = next.id
    RETURNING d.id, d.subscription_id AS "subscriptionId", d.purpose, d.period, d.attempts, next.email,
      next.language, next."isConfirmed"`.execute(database);
  return rows[0] === undefined ? null : { ...rows[0], token };
}

/** Cancels mail that would be retried if its subscription has ended. */
export async function settleDelivery(
  database: Database,
  delivery: ClaimedDelivery,
  outcome: MailOutcome,
): Promise<void> {
  const { rows } = await sql<{ ended: boolean }>`
    SELECT ended_at IS NOT NULL AS ended FROM mailing.subscription
    WHERE id = ${delivery.subscriptionId} FOR SHARE`.execute(database);
  const isCancelled = outcome.state === 'waiting' && (rows[0]?.ended ?? true);
  const stored: MailOutcome = isCancelled ? { state: 'cancelled', at: outcome.at } : outcome;
  await storeOutcome(database, deliveryLimits, delivery, stored);
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
