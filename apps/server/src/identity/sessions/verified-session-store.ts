import { sql } from 'kysely';

import type { AuditEventId } from '../../audit/index.ts';
import { auditEventOfFound } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { readFoundAccount } from '../accounts/account-store.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import { upsertingKnownSource } from '../attempts/known-source-store.ts';
import { blockHash } from '../attempts/known-source.ts';
import type { ReservedAttempt } from '../attempts/sign-in-attempt-store.ts';
import { releasingAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import type { SessionId } from '../credentials/session.ts';

/** A password that was correct when it was checked. */
export interface VerifiedPassword {
  readonly accountId: AccountId;
  readonly passwordHash: string;
  /** Counted until a session is opened. */
  readonly attempt: ReservedAttempt;
}

export interface NewVerifiedSession extends VerifiedPassword {
  readonly sessionId: SessionId;
  readonly client: Client;
  readonly refreshTokenHash: Buffer;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
  readonly auditEventId: AuditEventId;
  readonly opened: Parameters<typeof auditEventOfFound>[1];
}

/**
 * Everything that a sign-in writes, or nothing if the password was changed meanwhile. Locks the account's row first,
 * like a change of password: the second of the two sees the first, so that a session opened with the old password is
 * either refused here or ended there. Both then lock the attempts and the sessions.
 */
export function insertVerifiedSession(
  database: Database,
  { client, sessionId, ...session }: NewVerifiedSession,
): Promise<Account | null> {
  const [at, until] = [isoMicroseconds(session.createdAt), isoMicroseconds(session.expiresAt)];
  return readFoundAccount(
    database,
    'open-verified-session',
    sql`
    found AS (
      SELECT id FROM identity.account WHERE id = ${session.accountId} AND password_hash = ${session.passwordHash} FOR SHARE
    ), released AS (
      ${releasingAttempt(session.attempt, sql`EXISTS (SELECT FROM found)`)}
    ), remembered AS (${upsertingKnownSource(blockHash(client), session.createdAt)}
    ), opened AS (
      INSERT INTO identity.session (id, account_id, kind, address, user_agent, created_at, last_used_at, expires_at)
      SELECT ${sessionId}::uuid, id, 'token', ${client.address}, ${client.userAgent},
        ${at}::timestamptz, ${at}::timestamptz, ${until}::timestamptz FROM found
    ), granted AS (
      INSERT INTO identity.refresh_token (hash, session_id, created_at, expires_at)
      SELECT ${session.refreshTokenHash}::bytea, ${sessionId}::uuid, ${at}::timestamptz, ${until}::timestamptz FROM found
    ), noted AS (${auditEventOfFound(session.auditEventId, session.opened)})`,
  );
}
