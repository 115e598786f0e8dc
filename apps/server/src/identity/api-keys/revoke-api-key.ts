import type { AccountId } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { markApiKeyRevoked } from './api-key-store.ts';
import type { ApiKeyId } from './api-key.ts';
import type { ApiKeyDeps } from './issue-api-key.ts';

/** False where the account has no such live key, whoever else may have it. */
export async function revokeApiKey(
  { database, clock, ids }: ApiKeyDeps,
  request: { readonly accountId: AccountId; readonly keyId: ApiKeyId; readonly client: Client },
): Promise<boolean> {
  const { accountId, keyId, client } = request;
  const at = clock.now();
  return database.transaction().execute(async (transaction) => {
    const revoked = await markApiKeyRevoked(transaction, accountId, keyId, at);
    if (revoked) {
      await recordAuditEvent(transaction, ids, {
        kind: 'api_key_revoked',
        at,
        accountId,
        client,
        detail: { keyId },
      });
    }
    return revoked;
  });
}
