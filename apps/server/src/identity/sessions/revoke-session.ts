import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { AccountId } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { secretTokenHash } from '../secret-token.ts';
import { findRefreshToken } from './refresh-token-store.ts';
import type { SessionFilter } from './session-store.ts';
import { markSessionsRevoked } from './session-store.ts';
import type { RevocationReason, SessionId } from './session.ts';

export interface RevokeSessionDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Ends sessions inside the caller's transaction and writes each down. */
export async function revokeSessions(
  transaction: Database,
  { clock, ids }: RevokeSessionDeps,
  filter: SessionFilter,
  reason: RevocationReason,
  client: Client,
): Promise<readonly { readonly id: SessionId; readonly accountId: AccountId }[]> {
  const at = clock.now();
  const ended = await markSessionsRevoked(transaction, filter, reason, at);
  for (const { id, accountId } of ended) {
    await recordAuditEvent(transaction, ids, {
      kind: 'session_revoked',
      at,
      accountId,
      client,
      detail: { sessionId: id, reason },
    });
  }
  return ended;
}

/** Any token of the family ends it, also one that was used before. What is unknown is as good as ended. */
export async function revokeFamily(
  deps: RevokeSessionDeps & { readonly database: Database },
  request: { readonly refreshToken: string; readonly client: Client },
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    const known = await findRefreshToken(transaction, secretTokenHash(request.refreshToken));
    if (known === null) return;
    await revokeSessions(transaction, deps, { sessionId: known.sessionId }, 'signed_out', request.client);
  });
}

/** An owner ends one of their sessions; false where it is not theirs or has ended. */
export async function revokeOwnSession(
  deps: RevokeSessionDeps & { readonly database: Database },
  request: {
    readonly accountId: AccountId;
    readonly sessionId: SessionId;
    readonly client: Client;
    readonly reason?: 'signed_out' | 'revoked_by_owner';
  },
): Promise<boolean> {
  const { accountId, sessionId, client, reason = 'revoked_by_owner' } = request;
  const ended = await deps.database
    .transaction()
    .execute((transaction) => revokeSessions(transaction, deps, { accountId, sessionId }, reason, client));
  return ended.length > 0;
}
