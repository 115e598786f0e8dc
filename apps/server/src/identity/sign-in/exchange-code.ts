import { hash as digest } from 'node:crypto';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { announceNewPlace } from '../attempts/announce-sign-in.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';
import { ownRaceMs } from '../credentials/session.ts';
import { invalidExchangeCode } from '../identity-problems.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { SessionGrant } from '../sessions/open-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { revokeSessions } from '../sessions/revoke-session.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import {
  findUsedExchangeCode,
  deleteExchangeCodes,
  insertExchangeCode,
  linkExchangeCode,
  listExchangeCodes,
  useExchangeCode,
} from './exchange-code-store.ts';

export const exchangeCodeCreated = defineAuditKind(
  'exchange_code_created',
  'You authorized a program on your computer.',
);
export const exchangeCodeReused = defineAuditKind(
  'exchange_code_reused',
  'A sign-in code of a program was used twice.',
);

export const exchangeCodeMs = 60_000;

export interface ExchangeCodeDeps extends RequestMailDeps {
  readonly database: Database;
}

/** For a person who is signed in in a browser and transfers the sign-in to a program on the same machine. */
export async function createExchangeCode(
  { database, clock, ids }: ExchangeCodeDeps,
  request: {
    readonly accountId: AccountId;
    readonly sessionId: SessionId;
    readonly codeChallenge: string | null;
    readonly client: Client;
  },
): Promise<string> {
  const code = createSecretToken();
  const createdAt = clock.now();
  const { accountId, codeChallenge, client } = request;
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    await requireLiveSession(transaction, request, createdAt);
    await insertExchangeCode(transaction, {
      hash: secretTokenHash(code),
      accountId,
      codeChallenge,
      createdAt,
      expiresAt: addMs(createdAt, exchangeCodeMs),
    });
    await recordAuditEvent(transaction, ids, {
      kind: exchangeCodeCreated,
      at: createdAt,
      accountId,
      client,
    });
  });
  return code;
}

export const exchangeCodes: CredentialKind = {
  name: 'exchange codes',
  columns: ['identity.exchange_code.account_id'],
  effects: {
    password_change: 'ends',
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'It opens a session, which follows the membership.' },
  },
  list: async (database, holder) =>
    (await listExchangeCodes(database, holder)).map(({ id, createdAt }) => ({
      id,
      name: 'Sign-in of a program, which has one minute',
      createdAt,
      lastUsedAt: null,
      origin: null,
    })),
  end: (transaction, _deps, { accountId, only }) => deleteExchangeCodes(transaction, accountId, only),
};

export interface ExchangeRequest {
  readonly code: string;
  readonly codeVerifier: string | undefined;
  readonly client: Client;
}

/** Exchanges a code for tokens, once. A late second use may be theft: it ends the session of the first. */
export async function exchangeCode(deps: ExchangeCodeDeps, request: ExchangeRequest): Promise<SessionGrant> {
  const hash = secretTokenHash(request.code);
  const { codeVerifier, client } = request;
  const challenge = codeVerifier === undefined ? null : digest('sha256', codeVerifier, 'base64url');
  const grant = await deps.database.transaction().execute(async (transaction) => {
    const accountId = await useExchangeCode(transaction, hash, challenge, deps.clock.now());
    if (accountId === null) {
      await endStolen(transaction, deps, hash, client);
      return null;
    }
    const opened = await openSession(transaction, deps, { accountId, client, method: 'exchange_code' });
    await linkExchangeCode(transaction, hash, opened.sessionId);
    await announceNewPlace(transaction, deps, { accountId, client });
    return opened;
  });
  if (grant !== null) return grant;
  throw new ProblemError(invalidExchangeCode, 'The code is unknown, expired or already used.');
}

async function endStolen(
  transaction: Database,
  deps: ExchangeCodeDeps,
  hash: Buffer,
  client: Client,
): Promise<void> {
  const now = deps.clock.now();
  const used = await findUsedExchangeCode(transaction, hash);
  if (used === null || now <= addMs(used.usedAt, ownRaceMs)) return;
  const { sessionId } = used;
  const ended = await revokeSessions(transaction, deps, { sessionId }, 'exchange_code_reused', client);
  for (const { accountId } of ended) {
    await recordAuditEvent(transaction, deps.ids, {
      kind: exchangeCodeReused,
      at: now,
      accountId,
      client,
      detail: { sessionId },
    });
  }
}
