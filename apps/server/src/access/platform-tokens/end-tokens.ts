import type { Database } from '../../foundation/database/database.ts';
import type { accounts } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { selectTokenIdsOf } from './platform-token-store.ts';
import { deleteTokensAndTheirPolicies } from './policy-of-token.ts';

/** Those that an account has made, with the organization's lock held. Every process hears of it. */
export async function endTokensOf(
  transaction: Database,
  organizationId: accounts.OrganizationId,
  accountId: accounts.AccountId,
): Promise<void> {
  const tokenIds = await selectTokenIdsOf(transaction, organizationId, accountId);
  await deleteTokensAndTheirPolicies(transaction, organizationId, tokenIds);
  if (tokenIds.length > 0) await raisePermissionVersion(transaction, organizationId);
}
