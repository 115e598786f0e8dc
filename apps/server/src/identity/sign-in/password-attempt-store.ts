import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, instantToMs, storedInstant } from '../../foundation/instant.ts';

export const failuresMax = 5;
export const lockDurationMs = 15 * 60_000;
const failureWindowMs = 15 * 60_000;

export type Reservation =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

/**
 * Reserved before the password is looked at: whatever happens afterwards, of any number of tries at once only five get
 * to the hash. The fifth reservation closes the door; a success clears the row and opens it again.
 */
export async function reservePasswordAttempt(
  database: Database,
  emailHash: Buffer,
  now: EpochMicroseconds,
): Promise<Reservation> {
  const at = isoMicroseconds(now);
  const lockedUntil = isoMicroseconds(addMs(now, lockDurationMs));
  const windowStart = isoMicroseconds(addMs(now, -failureWindowMs));
  const { rows } = await sql<{ last_admitted: boolean; locked_until: string | null }>`
    INSERT INTO identity.password_attempt AS held (email_hash, attempted_at, locked_until, last_admitted, expires_at)
    VALUES (${emailHash}, ARRAY[${at}::timestamptz], NULL, true, ${lockedUntil})
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
    RETURNING last_admitted, locked_until`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  if (row.last_admitted || row.locked_until === null) return { admitted: true };
  const waitMs = instantToMs(storedInstant(row.locked_until)) - instantToMs(now);
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** After a success, a reset, or the operator's word. */
export async function clearPasswordAttempts(database: Database, emailHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.password_attempt')
    .where('email_hash', '=', emailHash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
