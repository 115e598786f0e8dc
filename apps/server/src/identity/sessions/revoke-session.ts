import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { secretTokenHash } from '../../foundation/secret-token.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { AccountEvent, CredentialKind } from '../credentials/credential-kind.ts';
import type { RevocationReason, SessionId } from '../credentials/session.ts';
import { findRefreshToken } from './refresh-token-store.ts';
import type { SessionFilter } from './session-store.ts';
import { listSessions, markSessionsRevoked } from './session-store.ts';

const endedBecause: Readonly<Record<string, string>> = {
  signed_out: 'Signed out.',
  revoked_by_owner: 'You signed out a session.',
  refresh_token_reused: 'A session was signed out because a used refresh token was sent again.',
  exchange_code_reused: 'A session was signed out because its sign-in code was used twice.',
  password_changed: 'A session was signed out because of a password change.',
  account_deletion: 'A session was signed out because the deletion of the account was requested.',
  email_restored: 'A session was signed out because the e-mail address change was undone.',
};
export const sessionRevoked = defineAuditKind(
  'session_revoked',
  (word) => endedBecause[word('reason')] ?? 'A session was signed out.',
);

export interface RevokeSessionDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Ends sessions in the caller's transaction and records an event for each. */
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
      kind: sessionRevoked,
      at,
      accountId,
      client,
      detail: { sessionId: id, reason },
    });
  }
  return ended;
}

const reasonOf: Readonly<Record<AccountEvent, RevocationReason>> = {
  password_change: 'password_changed',
  password_reset: 'password_changed',
  email_undo: 'email_restored',
  end_all: 'revoked_by_owner',
  deletion: 'account_deletion',
  removal_from_organization: 'signed_out',
};

/** Access tokens end with their session; so do download tickets, which are valid in one session only. */
export const sessions: CredentialKind = {
  name: 'sessions',
  columns: ['identity.session.account_id'],
  effects: {
    password_change: 'ends_others',
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends_others',
    deletion: 'ends',
    removal_from_organization: { stays: 'What a session may do in an organization follows the membership.' },
  },
  list: async (database, { accountId, now }) =>
    (await listSessions(database, accountId, now)).map(({ kind, address, userAgent, ...session }) => ({
      ...session,
      name: kind === 'browser' ? 'Browser' : 'Program',
      origin: { address, userAgent },
    })),
  end: async (transaction, deps, { accountId, keep, only, event, client }) => {
    const filter = {
      accountId,
      ...(keep !== null && { except: keep }),
      ...(only !== null && { sessionId: only as SessionId }),
    };
    await revokeSessions(transaction, deps, filter, reasonOf[event], client);
  },
};

/** Any token of the family ends it, also a used one. An unknown token is treated as ended. */
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

/** An owner ends one of their sessions; false if it is not theirs or has ended. */
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
