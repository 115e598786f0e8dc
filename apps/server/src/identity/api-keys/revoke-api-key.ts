import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { ApiKeyId } from '../credentials/api-key.ts';
import { limitWords } from '../credentials/api-key.ts';
import type { CredentialKind, Ending } from '../credentials/credential-kind.ts';
import { listLiveApiKeys, markApiKeyRevoked } from './api-key-store.ts';
import type { ApiKeyDeps } from './issue-api-key.ts';

export const apiKeyRevoked = defineAuditKind('api_key_revoked', 'You revoked an API key.');

interface Revocation {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly client: Client;
}

/** False if the account has no such live key. */
export async function revokeApiKey(deps: ApiKeyDeps, request: Revocation): Promise<boolean> {
  return deps.database.transaction().execute((transaction) => revoke(transaction, deps, request));
}

/** Revokes one or all live keys of an account, in the caller's transaction. */
async function revokeApiKeys(
  transaction: Database,
  deps: Pick<ApiKeyDeps, 'clock' | 'ids'>,
  { accountId, client, only }: Pick<Ending, 'accountId' | 'client' | 'only'>,
): Promise<void> {
  for (const { id: keyId } of await listLiveApiKeys(transaction, accountId, deps.clock.now()))
    if (only === null || only === keyId) await revoke(transaction, deps, { accountId, client, keyId });
}

export const apiKeys: CredentialKind = {
  name: 'API keys',
  columns: ['identity.api_key.account_id'],
  effects: {
    password_change: { stays: 'Programs continue to work. A reset revokes them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'What a key may do in an organization follows the membership.' },
  },
  list: async (database, { accountId, now }) =>
    (await listLiveApiKeys(database, accountId, now)).map((key) => ({
      id: key.id,
      name: key.name,
      ...(key.limit !== null && { limit: limitWords(key.limit) }),
      createdAt: isoMilliseconds(key.createdAt),
      lastUsedAt: key.lastUsedAt === null ? null : isoMilliseconds(key.lastUsedAt),
      origin: null,
    })),
  end: revokeApiKeys,
};

async function revoke(
  transaction: Database,
  { clock, ids }: Pick<ApiKeyDeps, 'clock' | 'ids'>,
  { accountId, keyId, client }: Revocation,
): Promise<boolean> {
  const at = clock.now();
  const revoked = await markApiKeyRevoked(transaction, accountId, keyId, at);
  if (revoked) {
    const detail = { keyId };
    await recordAuditEvent(transaction, ids, { kind: apiKeyRevoked, at, accountId, client, detail });
  }
  return revoked;
}
