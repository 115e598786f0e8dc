import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { isoMicroseconds } from '../foundation/instant.ts';
import type { RevocationReason } from './credentials/session.ts';

export interface EndedCredentials {
  /** With their families of refresh tokens. */
  readonly sessions: number;
  /** Codes for sign-in and for actions, and links in e-mails. */
  readonly codes: number;
}

const because: RevocationReason = 'database_restored';

/**
 * Ends every session, code and mailed link, after the database was restored: it does not contain what was revoked or
 * used since the backup. Passwords, passkeys and one-time codes stay.
 */
export async function endRestoredSessions(
  transaction: Database,
  now: EpochMicroseconds,
): Promise<EndedCredentials> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity.session')
    .set({ revoked_at: isoMicroseconds(now), revoked_because: because })
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  let codes = 0n;
  for (const table of ['exchange_code', 'action_code', 'mailed_token']) {
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(`identity.${table}`)}`.execute(
      transaction,
    );
    codes += numAffectedRows;
  }
  return { sessions: Number(numUpdatedRows), codes: Number(codes) };
}

/** Those that were revoked since the backup cannot be distinguished from the others. */
export async function revokeAllApiKeys(transaction: Database, now: EpochMicroseconds): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity.api_key')
    .set({ revoked_at: isoMicroseconds(now) })
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
