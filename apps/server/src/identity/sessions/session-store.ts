import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';
import type { RevocationReason, SessionId } from '../credentials/session.ts';
import { wrongCredentials } from '../identity-problems.ts';

export interface NewSession {
  readonly id: SessionId;
  readonly accountId: AccountId;
  readonly client: Client;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
  /** The hash of a browser's cookie; null for a family of refresh tokens. */
  readonly secretHash: Buffer | null;
}

export async function insertSession(database: Database, session: NewSession): Promise<void> {
  const createdAt = isoMicroseconds(session.createdAt);
  await database
    .insertInto('identity.session')
    .values({
      id: session.id,
      account_id: session.accountId,
      kind: session.secretHash === null ? 'token' : 'browser',
      secret_hash: session.secretHash,
      address: session.client.address,
      user_agent: session.client.userAgent,
      created_at: createdAt,
      last_used_at: createdAt,
      expires_at: isoMicroseconds(session.expiresAt),
    })
    .execute();
}

export async function extendSession(
  database: Database,
  id: SessionId,
  now: EpochMicroseconds,
  expiresAt: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.session')
    .set({ last_used_at: isoMicroseconds(now), expires_at: isoMicroseconds(expiresAt) })
    .where('id', '=', id)
    .execute();
}

/** The account of a live session. */
export async function findSessionAccount(
  database: Database,
  id: SessionId,
  now: EpochMicroseconds,
): Promise<AccountId | null> {
  const row = await database
    .selectFrom('identity.session')
    .select('account_id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirst();
  return row === undefined ? null : (row.account_id as AccountId);
}

/** Whether the session of the account has neither ended nor expired. */
export async function isLiveSession(
  database: Database,
  { accountId, sessionId }: { readonly accountId: AccountId; readonly sessionId: string },
  now: EpochMicroseconds,
): Promise<boolean> {
  return (await findSessionAccount(database, sessionId as SessionId, now)) === accountId;
}

/**
 * Requires the locked account, before a new credential is created: a recovery may have ended the session since the
 * request arrived.
 */
export async function requireLiveSession(
  transaction: Database,
  { accountId, sessionId }: { readonly accountId: AccountId; readonly sessionId: SessionId },
  now: EpochMicroseconds,
): Promise<void> {
  if (!(await isLiveSession(transaction, { accountId, sessionId }, now))) throw wrongCredentials();
}

/** The account of the live browser session with this secret. */
export async function findBrowserSession(
  database: Database,
  secretHash: Buffer,
  now: EpochMicroseconds,
): Promise<{ readonly sessionId: SessionId; readonly accountId: AccountId } | null> {
  const row = await database
    .selectFrom('identity.session')
    .select(['id', 'account_id'])
    .where('secret_hash', '=', secretHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { sessionId: row.id as SessionId, accountId: row.account_id as AccountId };
}

export interface SessionFilter {
  readonly accountId?: AccountId;
  readonly sessionId?: SessionId;
  /** Excluded when all others of an account end. */
  readonly except?: SessionId;
}

/** Ends the matching sessions and notifies every process; returns the ended sessions. */
export async function markSessionsRevoked(
  database: Database,
  filter: SessionFilter,
  reason: RevocationReason,
  now: EpochMicroseconds,
): Promise<readonly { readonly id: SessionId; readonly accountId: AccountId }[]> {
  if (filter.accountId === undefined && filter.sessionId === undefined)
    throw new Error('accountId or sessionId is required');
  let update = database
    .updateTable('identity.session')
    .set({ revoked_at: isoMicroseconds(now), revoked_because: reason })
    .where('revoked_at', 'is', null);
  if (filter.accountId !== undefined) update = update.where('account_id', '=', filter.accountId);
  if (filter.sessionId !== undefined) update = update.where('id', '=', filter.sessionId);
  if (filter.except !== undefined) update = update.where('id', '!=', filter.except);
  const rows = await update.returning(['id', 'account_id']).execute();
  for (const { id } of rows) await sql`SELECT pg_notify(${credentialChannel}, ${id})`.execute(database);
  return rows.map((row) => ({ id: row.id as SessionId, accountId: row.account_id as AccountId }));
}

export interface SessionRecord {
  readonly id: SessionId;
  readonly kind: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

/** The live sessions of an account, last used first. */
export async function listSessions(
  database: Database,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<readonly SessionRecord[]> {
  const rows = await database
    .selectFrom('identity.session')
    .select(['id', 'kind', 'address', 'user_agent', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
  return rows.map((row) => ({
    id: row.id as SessionId,
    kind: row.kind,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: isoMilliseconds(fromTimestamptz(row.created_at)),
    lastUsedAt: isoMilliseconds(fromTimestamptz(row.last_used_at)),
  }));
}
