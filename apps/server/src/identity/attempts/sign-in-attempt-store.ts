import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, instantToMs } from '../../foundation/instant.ts';
import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import { emailHash } from '../../foundation/mail/email-address.ts';
import type { PasswordRecord } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AttemptSources } from './known-source.ts';
import { knownSourceMs } from './known-source.ts';

const failuresMax = 5;
const lockDurationMs = 15 * 60_000;

export type Guessed = 'password' | 'code';

/**
 * Failed attempts that are checked for one e-mail address in 24 hours, 100 in all. Every origin has its own share: a
 * stranger who exhausts theirs does not reduce those of the owner's devices and sessions.
 */
export const guessesPerDay = {
  password: { unknown: 40, block: 10, device: 15, session: 10 },
  code: { unknown: 10, block: 5, device: 5, session: 5 },
} as const;

export interface AttemptRequest {
  readonly email: NormalisedEmail;
  readonly guessed: Guessed;
  readonly sources: AttemptSources;
  readonly now: EpochMicroseconds;
}

/** A counted attempt. A success releases it. */
export interface ReservedAttempt {
  readonly email: NormalisedEmail;
  readonly at: EpochMicroseconds;
  readonly pool: string;
  readonly source: Buffer;
}

export interface Reservation {
  readonly outcome:
    | { readonly admitted: true; readonly attempt: ReservedAttempt }
    | { readonly admitted: false; readonly retryAfterSeconds: number };
  /** The account of the address, if any, read in the same statement. */
  readonly record: AttemptedAccount | null;
}

export interface AttemptedAccount extends PasswordRecord {
  /** Sealed; null if the password is sufficient. */
  readonly secondFactorSecret: Buffer | null;
}

interface ReservationRow {
  readonly refused_until: string | null;
  readonly pool: string;
  readonly source: Buffer;
  readonly account_id: AccountId | null;
  readonly password_hash: string | null;
  readonly second_factor_secret: Buffer | null;
}

/**
 * Counts an attempt before the password or code is checked: of any number of attempts at once only five of one counter
 * are checked. The fifth locks its counter for 15 minutes. An address without an account takes the same statement, with
 * the same look-ups.
 */
export async function reserveSignInAttempt(
  database: Database,
  { email, guessed, sources, now }: AttemptRequest,
): Promise<Reservation> {
  const at = sql`${isoMicroseconds(now)}::timestamptz`;
  const dayLater = sql`${isoMicroseconds(addMs(now, dayMs))}::timestamptz`;
  const { rows } = await sql<ReservationRow>`${preparedAs('reserve-sign-in-attempt')}
    WITH asked AS (${attemptedAccount({ email, guessed, sources, now })}), reserved AS (
      INSERT INTO identity.sign_in_attempt AS held (email_hash, attempted_at, pool, source, refused_until, expires_at)
      SELECT ${emailHash(email)}::bytea, ARRAY[${at}], ARRAY[asked.pool], ARRAY[asked.source], NULL, ${dayLater} FROM asked
      ON CONFLICT (email_hash) DO UPDATE SET (attempted_at, pool, source, refused_until, expires_at) = (
        SELECT
          CASE WHEN until IS NULL THEN recent.attempted_at || ${at} ELSE held.attempted_at END,
          CASE WHEN until IS NULL THEN recent.pool || asked.pool ELSE held.pool END,
          CASE WHEN until IS NULL THEN recent.source || asked.source ELSE held.source END,
          until,
          CASE WHEN until IS NULL THEN ${dayLater} ELSE held.expires_at END
        FROM asked, LATERAL (${recentAttempts(now)}) AS recent, LATERAL (
          SELECT greatest(
            CASE WHEN own[${failuresMax}::int] > own[1] - ${lockDuration} AND own[1] + ${lockDuration} > ${at}
              THEN own[1] + ${lockDuration} END,
            CASE WHEN pool_count >= asked.pool_max THEN pool_start + interval '24 hours' END
          ) AS until
        ) AS decided
      )
      RETURNING refused_until
    )
    SELECT reserved.refused_until, asked.pool, asked.source, asked.account_id, asked.password_hash,
      asked.second_factor_secret FROM reserved, asked`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  const { account_id: accountId, password_hash: passwordHash } = row;
  const secondFactorSecret = row.second_factor_secret;
  return {
    outcome: outcomeOf(row, { email, at: now, pool: row.pool, source: row.source }),
    record: accountId === null ? null : { accountId, passwordHash, secondFactorSecret },
  };
}

const lockDuration = sql`interval '${sql.raw(String(lockDurationMs))} milliseconds'`;

/** The account, and the counter and pool of the attempt. One row, with or without an account. */
function attemptedAccount({ email, guessed, sources, now }: AttemptRequest): RawBuilder<unknown> {
  const { session, device, block } = sources;
  const shares = guessesPerDay[guessed];
  const known = (source: Buffer | null): RawBuilder<unknown> => sql`LEFT JOIN LATERAL (
      SELECT source FROM identity.known_source
      WHERE account_id = coalesce(account.id, '00000000-0000-0000-0000-000000000000') AND source = ${source}::bytea
        AND signed_in_at > ${isoMicroseconds(addMs(now, -knownSourceMs))}::timestamptz
    )`;
  return sql`
    SELECT account.id AS account_id, account.password_hash, second_factor.secret AS second_factor_secret,
      ${guessed}::text || ' ' || origin.name AS pool, origin.source, origin.pool_max
    FROM (SELECT ${email}::text AS email) AS given
    LEFT JOIN identity.account ON account.email_normalised = given.email
    LEFT JOIN identity.second_factor ON second_factor.account_id = account.id
    ${known(device)} AS device ON true
    ${known(block)} AS block ON true
    CROSS JOIN LATERAL (
      SELECT * FROM (VALUES
        (1, 'session', ${session}::bytea, ${shares.session}::int),
        (2, 'device', device.source, ${shares.device}::int),
        (3, 'block', block.source, ${shares.block}::int),
        (4, 'unknown', ''::bytea, ${shares.unknown}::int)
      ) AS candidate (rank, name, source, pool_max) WHERE candidate.source IS NOT NULL ORDER BY rank LIMIT 1
    ) AS origin`;
}

/** From `held`: the attempts of the last 24 hours in this counter, newest first, and those in this pool. */
function recentAttempts(now: EpochMicroseconds): RawBuilder<unknown> {
  return sql`
    SELECT coalesce(array_agg(entry.at ORDER BY entry.n), '{}') AS attempted_at,
      coalesce(array_agg(entry.pool ORDER BY entry.n), '{}') AS pool,
      coalesce(array_agg(entry.source ORDER BY entry.n), '{}') AS source,
      array_agg(entry.at ORDER BY entry.at DESC)
        FILTER (WHERE entry.pool = asked.pool AND entry.source = asked.source) AS own,
      count(*) FILTER (WHERE entry.pool = asked.pool) AS pool_count,
      min(entry.at) FILTER (WHERE entry.pool = asked.pool) AS pool_start
    FROM ${entries} WHERE entry.at > ${isoMicroseconds(addMs(now, -dayMs))}::timestamptz`;
}

const entries = sql`
  unnest(held.attempted_at, held.pool, held.source) WITH ORDINALITY AS entry (at, pool, source, n)`;

function outcomeOf(
  { refused_until: refusedUntil }: ReservationRow,
  attempt: ReservedAttempt,
): Reservation['outcome'] {
  if (refusedUntil === null) return { admitted: true, attempt };
  const waitMs = instantToMs(fromTimestamptz(refusedUntil)) - instantToMs(attempt.at);
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/**
 * After a success: the attempt is no failure, and the failures before it no longer lock its counter. They stay counted
 * for the day, or each success of the owner would give a stranger more guesses. As part of a statement, with `condition`.
 */
export function releasingAttempt(attempt: ReservedAttempt, condition = sql`true`): RawBuilder<unknown> {
  const { email, at, pool, source } = attempt;
  const ofCounter = sql`entry.pool = ${pool}::text AND entry.source = ${source}::bytea`;
  return sql`
    UPDATE identity.sign_in_attempt AS held SET (attempted_at, pool, source) = (
      SELECT coalesce(array_agg(entry.at ORDER BY entry.n), '{}'), coalesce(array_agg(entry.pool ORDER BY entry.n), '{}'),
        coalesce(array_agg(CASE WHEN ${ofCounter} THEN NULL ELSE entry.source END ORDER BY entry.n), '{}')
      FROM ${entries} WHERE entry.n IS DISTINCT FROM (
        SELECT min(entry.n) FROM ${entries}
        WHERE entry.at = ${isoMicroseconds(at)}::timestamptz AND (${ofCounter} OR entry.pool = ${pool}::text AND entry.source IS NULL)
      )
    )
    WHERE email_hash = ${emailHash(email)}::bytea AND ${condition}`;
}

export async function releaseAttempt(database: Database, attempt: ReservedAttempt): Promise<void> {
  await releasingAttempt(attempt).execute(database);
}

/** After a change of password: failed attempts at the old one are cleared. Failed codes stay counted. */
export async function clearPasswordAttempts(database: Database, email: NormalisedEmail): Promise<void> {
  await sql`
    UPDATE identity.sign_in_attempt AS held SET (attempted_at, pool, source) = (
      SELECT coalesce(array_agg(entry.at ORDER BY entry.n), '{}'), coalesce(array_agg(entry.pool ORDER BY entry.n), '{}'),
        coalesce(array_agg(entry.source ORDER BY entry.n), '{}')
      FROM ${entries} WHERE NOT starts_with(entry.pool, 'password ')
    )
    WHERE email_hash = ${emailHash(email)}`.execute(database);
}

/** Clears failed passwords and codes. Returns whether any were counted. */
export async function clearSignInAttempts(database: Database, email: NormalisedEmail): Promise<boolean> {
  const { rows } = await sql<{ attempts: number }>`
    DELETE FROM identity.sign_in_attempt WHERE email_hash = ${emailHash(email)}
    RETURNING cardinality(attempted_at) AS attempts`.execute(database);
  return rows.some(({ attempts }) => attempts > 0);
}
