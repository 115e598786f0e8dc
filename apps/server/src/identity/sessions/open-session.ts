import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { createSecretToken, secretTokenHash } from '../secret-token.ts';
import { insertRefreshToken } from './refresh-token-store.ts';
import { insertSession } from './session-store.ts';
import type { SessionId } from './session.ts';
import { refreshTokenMs } from './session.ts';

export interface OpenSessionDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface SessionGrant {
  readonly sessionId: SessionId;
  readonly accountId: AccountId;
  readonly refreshToken: string;
}

export interface SessionRequest {
  readonly accountId: AccountId;
  readonly client: Client;
  readonly method: 'password' | 'exchange_code';
}

/** Begins a family of refresh tokens, inside the caller's transaction. */
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
    kind: 'session_opened',
    at: createdAt,
    accountId,
    client,
    detail: { sessionId, method: request.method },
  });
  return { sessionId, accountId, refreshToken };
}
