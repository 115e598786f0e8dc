import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { instantToMs, isoMicroseconds } from '../foundation/instant.ts';
import type { AccountId } from './accounts/account.ts';
import type { RevocationReason } from './credentials/session.ts';
import { stepAt } from './second-factor/time-code.ts';

export interface EndedCredentials {
  /** With their families of refresh tokens. */
  readonly sessions: number;
  /** Codes for sign-in, for recovery and for actions, and links in e-mails. */
  readonly codes: number;
  /** Open invitations. */
  readonly invitations: number;
  /** Mail that waited to be sent: what its links refer to has ended. */
  readonly mails: number;
}

const because: RevocationReason = 'database_restored';

/**
 * Ends every session, and everything that works once, after the database was restored: it does not contain what was
 * revoked or used since the backup. A one-time code of the last minute is refused too. Passwords, passkeys and
 * one-time codes of the authenticator stay.
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
  for (const table of ['exchange_code', 'action_code', 'mailed_token', 'recovery_code']) {
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(`identity.${table}`)}`.execute(
      transaction,
    );
    codes += numAffectedRows;
  }
  const lastStep = BigInt(stepAt(instantToMs(now)) + 1);
  await transaction
    .updateTable('identity.second_factor')
    .set({ last_step: lastStep })
    .where('last_step', '<', lastStep)
    .execute();
  return {
    sessions: Number(numUpdatedRows),
    codes: Number(codes),
    invitations: await cancelAllInvitations(transaction, now),
    mails: await cancelWaitingMail(transaction, now),
  };
}

async function cancelAllInvitations(transaction: Database, now: EpochMicroseconds): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity.invitation')
    .set({ cancelled_at: isoMicroseconds(now) })
    .where('accepted_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function cancelWaitingMail(transaction: Database, now: EpochMicroseconds): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity.mail_request')
    .set({ state: 'cancelled', claimed_by: null, settled_at: isoMicroseconds(now) })
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
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

/** By account; without accounts that do not exist. */
export async function readAddresses(
  database: Database,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('identity.account')
    .select(['id', 'email'])
    .where('id', 'in', accountIds)
    .execute();
  return new Map(rows.map(({ id, email }) => [id as AccountId, email]));
}
