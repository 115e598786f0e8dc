import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../foundation/instant.ts';

const dayMs = 86_400_000;
const batchRows = 1_000;

/** What is kept after its time, and how long: long enough that a replay is still recognised for what it is. */
const leftovers = [
  { table: 'mailed_token', column: 'expires_at', keepMs: 7 * dayMs },
  { table: 'sign_up', column: 'created_at', keepMs: 2 * dayMs },
  { table: 'mail_request', column: 'created_at', keepMs: 30 * dayMs },
  { table: 'password_attempt', column: 'expires_at', keepMs: 0 },
  { table: 'exchange_code', column: 'expires_at', keepMs: 30 * dayMs },
  { table: 'refresh_token', column: 'expires_at', keepMs: 0 },
  { table: 'session', column: 'expires_at', keepMs: 30 * dayMs },
] as const;

/** In small bites, so that nobody waits for a lock; answers how many rows went. */
export async function removeLeftovers(database: Database, now: EpochMicroseconds): Promise<number> {
  let removed = 0;
  for (const { table, column, keepMs } of leftovers) {
    const before = isoMicroseconds(addMs(now, -keepMs));
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM ${sql.table(`identity.${table}`)} WHERE ctid IN (
          SELECT ctid FROM ${sql.table(`identity.${table}`)} WHERE ${sql.ref(column)} < ${before}
          LIMIT ${batchRows} FOR UPDATE SKIP LOCKED
        )`.execute(database);
      removed += Number(numAffectedRows);
      if (numAffectedRows < batchRows) break;
    }
  }
  return removed;
}
