import type { Transaction } from 'kysely';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { SessionId } from '../credentials/session.ts';
import { refreshTokenMs } from '../credentials/session.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { insertRefreshToken } from './refresh-token-store.ts';
import { insertSession } from './session-store.ts';
import type { VerifiedPassword } from './verified-session-store.ts';
import { insertVerifiedSession } from './verified-session-store.ts';

const signedInWith: Readonly<Record<string, string>> = {
  password: 'Signed in with the password.',
  openid: 'Signed in through an external identity.',
  passkey: 'Signed in with a passkey.',
  exchange_code: 'A program on your computer signed in.',
  sign_up: 'Signed in by confirming the e-mail address.',
  invitation: 'Signed in through an invitation.',
};
export const sessionOpened = defineAuditKind(
  'session_opened',
  (word) => signedInWith[word('method')] ?? 'Signed in.',
);

export interface OpenSessionDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface SignedIn {
  readonly accountId: AccountId;
  readonly client: Client;
}

/** The effects of a sign-in on features above this one. `createIdentity` registers them. */
export interface SessionListener {
  /** Runs in the transaction that opens the session, before the session is inserted. */
  readonly opening: (transaction: Transaction<DB>, deps: RequestMailDeps, by: SignedIn) => Promise<void>;
  /** Runs after a session was opened without a transaction of the caller. */
  readonly opened: (deps: RequestMailDeps & { readonly database: Database }, by: SignedIn) => Promise<void>;
}

export interface SessionListenerDeps {
  readonly sessionListener: SessionListener;
}

export interface SessionGrant {
  readonly sessionId: SessionId;
  readonly accountId: AccountId;
  readonly refreshToken: string;
  /** Set if it was read in the same statement. */
  readonly account?: Account;
}

export interface SessionRequest extends SignedIn {
  readonly method: 'password' | 'exchange_code';
}

/** Begins a family of refresh tokens, in the caller's transaction. */
export async function openSession(
  transaction: Database,
  { clock, ids }: OpenSessionDeps,
  request: SessionRequest,
): Promise<SessionGrant> {
  const createdAt = clock.now();
  const expiresAt = addMs(createdAt, refreshTokenMs);
  const sessionId: SessionId = ids.next();
  const refreshToken = createSecretToken();
  const { accountId, client } = request;
  await insertSession(transaction, {
    id: sessionId,
    accountId,
    client,
    createdAt,
    expiresAt,
    secretHash: null,
  });
  await insertRefreshToken(transaction, {
    hash: secretTokenHash(refreshToken),
    sessionId,
    createdAt,
    expiresAt,
  });
  await recordAuditEvent(transaction, ids, {
    kind: sessionOpened,
    at: createdAt,
    accountId,
    client,
    detail: { sessionId, method: request.method },
  });
  return { sessionId, accountId, refreshToken };
}

/**
 * The same after password verification, in one statement, which also releases the reserved attempt. Null if the password
 * has changed since it was verified.
 */
export async function openVerifiedSession(
  { database, clock, ids }: OpenSessionDeps & { readonly database: Database },
  { verified, client }: { readonly verified: VerifiedPassword; readonly client: Client },
): Promise<SessionGrant | null> {
  const createdAt = clock.now();
  const sessionId: SessionId = ids.next();
  const refreshToken = createSecretToken();
  const account = await insertVerifiedSession(database, {
    ...verified,
    sessionId,
    client,
    refreshTokenHash: secretTokenHash(refreshToken),
    createdAt,
    expiresAt: addMs(createdAt, refreshTokenMs),
    auditEventId: ids.next(),
    opened: { kind: sessionOpened, at: createdAt, client, detail: { sessionId, method: 'password' } },
  });
  return account === null ? null : { sessionId, accountId: account.id, refreshToken, account };
}
