import type { Transaction } from 'kysely';

import { recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { addMs } from '../../foundation/instant.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import { findAccount, holdPassword } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { announceNewPlace } from '../attempts/announce-sign-in.ts';
import { rememberBlock, rememberDevice } from '../attempts/known-source.ts';
import { releaseAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { SessionId } from '../credentials/session.ts';
import { refreshTokenMs } from '../credentials/session.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { SessionListenerDeps, SignedIn } from './open-session.ts';
import { sessionOpened } from './open-session.ts';
import { findBrowserSession, insertSession } from './session-store.ts';
import type { VerifiedPassword } from './verified-session-store.ts';

export interface BrowserSessionDeps extends RequestMailDeps, SessionListenerDeps {
  readonly database: Database;
}

interface BrowserSignIn extends SignedIn {
  /** The browser's device cookie. */
  readonly device?: string | null;
  readonly method: 'password' | 'openid' | 'passkey' | 'sign_up' | 'invitation';
}

export interface BrowserSession {
  readonly sessionId: SessionId;
  /** For a cookie. */
  readonly secret: string;
  /** For a separate cookie, which replaces the previous device cookie. */
  readonly device: string;
}

/** A session for pages. Each sign-in creates a new secret, so that none can be planted beforehand. */
export async function openBrowserSession(
  deps: BrowserSessionDeps,
  signIn: BrowserSignIn,
): Promise<BrowserSession> {
  return deps.database
    .transaction()
    .execute((transaction) => insertBrowserSession(transaction, deps, signIn));
}

/** The same after password verification: null if the password has changed since. Releases the attempt. */
export async function openVerifiedBrowserSession(
  deps: BrowserSessionDeps,
  { verified, ...origin }: Pick<BrowserSignIn, 'client' | 'device'> & { readonly verified: VerifiedPassword },
): Promise<BrowserSession | null> {
  const { accountId, passwordHash, attempt } = verified;
  return deps.database.transaction().execute(async (transaction) => {
    if (!(await holdPassword(transaction, accountId, passwordHash))) return null;
    await releaseAttempt(transaction, attempt);
    return insertBrowserSession(transaction, deps, { ...origin, accountId, method: 'password' });
  });
}

/** In the caller's transaction. */
export async function insertBrowserSession(
  transaction: Transaction<DB>,
  deps: BrowserSessionDeps,
  { accountId, client, device = null, method }: BrowserSignIn,
): Promise<BrowserSession> {
  const { clock, ids } = deps;
  const sessionId: SessionId = ids.next();
  const secret = createSecretToken();
  const createdAt = clock.now();
  await deps.sessionListener.opening(transaction, deps, { accountId, client });
  await insertSession(transaction, {
    id: sessionId,
    accountId,
    client,
    createdAt,
    expiresAt: addMs(createdAt, refreshTokenMs),
    secretHash: secretTokenHash(secret),
  });
  await recordAuditEvent(transaction, ids, {
    kind: sessionOpened,
    at: createdAt,
    accountId,
    client,
    detail: { sessionId, method },
  });
  const signIn = { accountId, client, at: createdAt };
  await announceNewPlace(transaction, deps, { accountId, client, device });
  await rememberBlock(transaction, signIn);
  return { sessionId, secret, device: await rememberDevice(transaction, { ...signIn, device }) };
}

/** The owner of the cookie, read from the database each time: page requests are few. */
export async function readBrowserSession(
  { database, clock }: Pick<BrowserSessionDeps, 'database' | 'clock'>,
  secret: string,
): Promise<{ readonly sessionId: SessionId; readonly account: Account } | null> {
  const found = await findBrowserSession(database, secretTokenHash(secret), clock.now());
  const account = found === null ? null : await findAccount(database, found.accountId);
  return found === null || account === null ? null : { sessionId: found.sessionId, account };
}
