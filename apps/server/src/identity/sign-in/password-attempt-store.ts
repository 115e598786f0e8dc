import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, instantToMs } from '../../foundation/instant.ts';
import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import { emailHash } from '../../foundation/mail/email-address.ts';
import type { PasswordRecord } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';

export const failuresMax = 5;
export const lockDurationMs = 15 * 60_000;
const failureWindowMs = 15 * 60_000;

export interface Reservation {
  readonly outcome:
    | { readonly admitted: true }
    | { readonly admitted: false; readonly retryAfterSeconds: number };
  /** Whose address it is, if anyone's, looked up in the same statement. */
  readonly record: AttemptedAccount | null;
}

export interface AttemptedAccount extends PasswordRecord {
  /** Sealed; null where the password is enough. */
  readonly secondFactorSecret: Buffer | null;
}

/**
 * Reserved before the password is looked at: whatever happens afterwards, of any number of tries at once only five get
 * to the hash. The fifth reservation locks the address; a success clears the row and unlocks it.
 */
export async function reservePasswordAttempt(
  database: Database,
  email: NormalisedEmail,
  now: EpochMicroseconds,
): Promise<Reservation> {
  const at = isoMicroseconds(now);
  const lockedUntil = isoMicroseconds(addMs(now, lockDurationMs));
  const windowStart = isoMicroseconds(addMs(now, -failureWindowMs));
  const { rows } = await sql<ReservationRow>`${preparedAs('reserve-password-attempt')}
    WITH reserved AS (
    INSERT INTO identity.password_attempt AS held (email_hash, attempted_at, locked_until, last_admitted, expires_at)
    VALUES (${emailHash(email)}, ARRAY[${at}::timestamptz], NULL, true, ${lockedUntil})
    ON CONFLICT (email_hash) DO UPDATE SET (attempted_at, locked_until, last_admitted, expires_at) = (
      SELECT
        CASE WHEN closed THEN held.attempted_at ELSE kept || ${at}::timestamptz END,
        CASE WHEN closed THEN held.locked_until
             WHEN cardinality(kept) + 1 >= ${failuresMax} THEN ${lockedUntil}::timestamptz END,
        NOT closed,
        CASE WHEN closed THEN held.expires_at ELSE ${lockedUntil}::timestamptz END
      FROM (SELECT coalesce(held.locked_until > ${at}::timestamptz, false) AS closed) AS door, LATERAL (
        SELECT coalesce(array_agg(instant ORDER BY instant), '{}') AS kept FROM unnest(held.attempted_at) AS instant
        WHERE instant > ${windowStart}::timestamptz AND held.locked_until IS NULL
      ) AS recent
    )
    RETURNING last_admitted, locked_until)
    SELECT reserved.last_admitted, reserved.locked_until, account.id AS account_id, account.password_hash,
      second_factor.secret AS second_factor_secret
    FROM reserved LEFT JOIN identity.account ON account.email_normalised = ${email}
    LEFT JOIN identity.second_factor ON second_factor.account_id = account.id`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  const {
    account_id: accountId,
    password_hash: passwordHash,
    second_factor_secret: secondFactorSecret,
  } = row;
  return {
    outcome: outcomeOf(row, now),
    record: accountId === null ? null : { accountId, passwordHash, secondFactorSecret },
  };
}

interface ReservationRow {
  readonly last_admitted: boolean;
  readonly locked_until: string | null;
  readonly account_id: AccountId | null;
  readonly password_hash: string | null;
  readonly second_factor_secret: Buffer | null;
}

function outcomeOf(row: ReservationRow, now: EpochMicroseconds): Reservation['outcome'] {
  if (row.last_admitted || row.locked_until === null) return { admitted: true };
  const waitMs = instantToMs(fromTimestamptz(row.locked_until)) - instantToMs(now);
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** After a success, a reset, or an operator's command. */
export async function clearPasswordAttempts(database: Database, hashed: Buffer): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.password_attempt')
    .where('email_hash', '=', hashed)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
