import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { EmailAddress, NormalisedEmail } from '../foundation/mail/email-address.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { secretTokenHash } from '../foundation/secret-token.ts';

/** Kinds of editions sent by mail; monthlies are not. */
export type MailedKind = 'daily' | 'weekly';

/** The chosen editions; at least one. */
export type Choices = Readonly<Record<MailedKind, boolean>>;

export interface Subscription {
  readonly id: Id<'subscription'>;
  readonly choices: Choices;
  readonly state: 'unconfirmed' | 'active' | 'ended';
  /** Null after the subscription has ended: the address is deleted. */
  readonly email: string | null;
  readonly language: ReaderLanguage;
}

export interface SubscriptionRecord extends Pick<Subscription, 'choices'> {
  readonly language: ReaderLanguage;
  /** The time of the last request. */
  readonly requestedAt: EpochMicroseconds;
  readonly confirmedAt: EpochMicroseconds | null;
}

export type EndReason = 'unsubscribed' | 'address_refused';

/** A request that is not confirmed within this time is deleted. */
export const confirmWithinMs = 7 * dayMs;

/** One active subscription per address. An unauthenticated request does not change a confirmed one. */
export async function upsertRequest(
  database: Database,
  request: {
    readonly id: Id<'subscription'>;
    readonly email: EmailAddress;
    readonly language: ReaderLanguage;
    readonly choices: Choices;
    readonly now: EpochMicroseconds;
  },
): Promise<Id<'subscription'>> {
  const { id, email, language, choices, now } = request;
  const { rows } = await sql<{ id: Id<'subscription'> }>`
    INSERT INTO mailing.subscription AS known
      (id, email, normalised_email, language, daily, weekly, requested_at)
    VALUES (${id}, ${email.written}, ${email.normalised}, ${language}, ${choices.daily}, ${choices.weekly},
      ${toTimestamptz(now)})
    ON CONFLICT (normalised_email) WHERE ended_at IS NULL DO UPDATE SET
      requested_at = excluded.requested_at,
      language = CASE WHEN known.confirmed_at IS NULL THEN excluded.language ELSE known.language END,
      daily = CASE WHEN known.confirmed_at IS NULL THEN excluded.daily ELSE known.daily END,
      weekly = CASE WHEN known.confirmed_at IS NULL THEN excluded.weekly ELSE known.weekly END
    RETURNING id`.execute(database);
  return rows[0]?.id ?? id;
}

/** The subscription whose mail contained this secret. */
export async function findByToken(database: Database, token: string): Promise<Subscription | null> {
  const { rows } = await sql<{
    id: Id<'subscription'>;
    email: string | null;
    daily: boolean;
    weekly: boolean;
    language: ReaderLanguage;
    state: Subscription['state'];
  }>`
    SELECT s.id, s.email, s.daily, s.weekly, s.language,
      CASE WHEN s.ended_at IS NOT NULL THEN 'ended' WHEN s.confirmed_at IS NULL THEN 'unconfirmed' ELSE 'active' END
        AS state
    FROM mailing.delivery d JOIN mailing.subscription s ON s.id = d.subscription_id
    WHERE d.token_hash = ${secretTokenHash(token)}`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { id, email, state, daily, weekly, language } = row;
  return { id, email, state, language, choices: { daily, weekly } };
}

/** The active subscription of an address, for a caller that has proven ownership. */
export async function findByEmail(
  database: Database,
  email: NormalisedEmail,
): Promise<SubscriptionRecord | null> {
  const { rows } = await sql<{
    daily: boolean;
    weekly: boolean;
    language: ReaderLanguage;
    requested_at: string;
    confirmed_at: string | null;
  }>`
    SELECT daily, weekly, language, requested_at, confirmed_at FROM mailing.subscription
    WHERE normalised_email = ${email} AND ended_at IS NULL`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { daily, weekly, language, requested_at: requested, confirmed_at: confirmed } = row;
  return {
    choices: { daily, weekly },
    language,
    requestedAt: fromTimestamptz(requested),
    confirmedAt: confirmed === null ? null : fromTimestamptz(confirmed),
  };
}

/** Confirms if unconfirmed. False if it has ended, or was requested too long ago. */
export async function saveChoices(
  database: Database,
  id: Id<'subscription'>,
  { daily, weekly, language }: Choices & { readonly language: ReaderLanguage },
  now: EpochMicroseconds,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE mailing.subscription
    SET daily = ${daily}, weekly = ${weekly}, language = ${language}, confirmed_at = coalesce(confirmed_at, ${toTimestamptz(now)})
    WHERE id = ${id} AND ended_at IS NULL
      AND (confirmed_at IS NOT NULL OR requested_at > ${toTimestamptz(addMs(now, -confirmWithinMs))})
    RETURNING id`.execute(database);
  return rows.length === 1;
}

/** Deletes the address as well. */
export async function endSubscription(
  database: Database,
  id: Id<'subscription'>,
  because: EndReason,
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    UPDATE mailing.subscription
    SET ended_at = ${toTimestamptz(now)}, ended_because = ${because}, email = NULL, normalised_email = NULL
    WHERE id = ${id} AND ended_at IS NULL`.execute(database);
}
