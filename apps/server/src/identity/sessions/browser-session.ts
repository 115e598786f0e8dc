import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { findAccount } from '../accounts/account-store.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { createSecretToken, secretTokenHash } from '../secret-token.ts';
import { findBrowserSession, insertSession } from './session-store.ts';
import type { SessionId } from './session.ts';
import { refreshTokenMs } from './session.ts';

export interface BrowserSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A session for pages; the secret goes into a cookie. A new one at each sign-in, so none can be planted beforehand. */
export async function openBrowserSession(
  { database, clock, ids }: BrowserSessionDeps,
  request: {
    readonly accountId: AccountId;
    readonly client: Client;
    readonly method: 'password' | 'openid' | 'sign_up' | 'invitation';
  },
): Promise<{ readonly sessionId: SessionId; readonly secret: string }> {
  const { accountId, client, method } = request;
  const sessionId: SessionId = ids.next();
  const secret = createSecretToken();
  const createdAt = clock.now();
  await database.transaction().execute(async (transaction) => {
    await insertSession(transaction, {
      id: sessionId,
      accountId,
      client,
      createdAt,
      expiresAt: addMs(createdAt, refreshTokenMs),
      secretHash: secretTokenHash(secret),
    });
    await recordAuditEvent(transaction, ids, {
      kind: 'session_opened',
      at: createdAt,
      accountId,
      client,
      detail: { sessionId, method },
    });
  });
  return { sessionId, secret };
}

/** Whose cookie it is, asked of the database each time: pages are few. */
export async function readBrowserSession(
  { database, clock }: BrowserSessionDeps,
  secret: string,
): Promise<{ readonly sessionId: SessionId; readonly account: Account } | null> {
  const found = await findBrowserSession(database, secretTokenHash(secret), clock.now());
  const account = found === null ? null : await findAccount(database, found.accountId);
  return found === null || account === null ? null : { sessionId: found.sessionId, account };
}
