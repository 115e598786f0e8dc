import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import { deleteInBatches } from '../foundation/database/batched-delete.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../foundation/instant.ts';
import { knownSourceMs } from './attempts/known-source.ts';

/** Retention of expired rows: long enough to recognise a replay. */
export const leftovers = [
  { table: 'mailed_token', column: 'expires_at', retentionMs: 7 * dayMs },
  // Longer than a change can be undone.
  { table: 'email_change', column: 'created_at', retentionMs: 30 * dayMs },
  { table: 'sign_up', column: 'created_at', retentionMs: 2 * dayMs },
  { table: 'invitation', column: 'expires_at', retentionMs: 30 * dayMs },
  { table: 'mail_request', column: 'created_at', retentionMs: 30 * dayMs },
  { table: 'sign_in_attempt', column: 'expires_at', retentionMs: 0 },
  // Written only by processes of earlier releases.
  { table: 'password_attempt', column: 'expires_at', retentionMs: 0 },
  { table: 'known_source', column: 'signed_in_at', retentionMs: knownSourceMs },
  { table: 'answered_challenge', column: 'expires_at', retentionMs: 0 },
  { table: 'action_code', column: 'expires_at', retentionMs: 0 },
  { table: 'exchange_code', column: 'expires_at', retentionMs: 30 * dayMs },
  { table: 'refresh_token', column: 'expires_at', retentionMs: 0 },
  { table: 'session', column: 'expires_at', retentionMs: 30 * dayMs },
] as const;

/** Returns the number of deleted rows. */
export async function removeLeftovers(database: Database, now: EpochMicroseconds): Promise<number> {
  let removed = 0;
  for (const { table, column, retentionMs } of leftovers) {
    const before = isoMicroseconds(addMs(now, -retentionMs));
    const [name, expiry] = [sql.table(`identity.${table}`), sql.ref(column)];
    removed += await deleteInBatches(async (rows) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${name} WHERE ${expiry} < ${before}
          ORDER BY ${expiry} LIMIT ${rows} FOR UPDATE SKIP LOCKED
        ))`.execute(database);
      return Number(numAffectedRows);
    });
  }
  return removed;
}
