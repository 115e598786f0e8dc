import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { listLiveApiKeys, markApiKeyRevoked } from './api-key-store.ts';
import type { ApiKeyId } from './api-key.ts';
import type { ApiKeyDeps } from './issue-api-key.ts';

export const apiKeyRevoked = defineAuditKind('api_key_revoked', 'You revoked an API key.');

interface Revocation {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly client: Client;
}

/** False where the account has no such live key, whoever else may have it. */
export async function revokeApiKey(deps: ApiKeyDeps, request: Revocation): Promise<boolean> {
  return deps.database.transaction().execute((transaction) => revoke(transaction, deps, request));
}

/** Every live key of an account, inside the caller's transaction. */
export async function revokeApiKeys(
  transaction: Database,
  deps: Pick<ApiKeyDeps, 'clock' | 'ids'>,
  request: Omit<Revocation, 'keyId'>,
): Promise<void> {
  const keys = await listLiveApiKeys(transaction, request.accountId, deps.clock.now());
  for (const { id: keyId } of keys) await revoke(transaction, deps, { ...request, keyId });
}

export const apiKeys: CredentialKind = {
  name: 'API keys',
  columns: ['identity.api_key.account_id'],
  effects: {
    password_change: { stays: 'Programs go on; a reset ends them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'What a key may do in an organization follows the membership.' },
  },
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
