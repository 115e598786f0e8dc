import type { Database } from '../../foundation/database/database.ts';
import type { accounts } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { deleteTokensOf } from './platform-token-store.ts';

/** Those that an account has made, with the organization's lock held. Every process hears of it. */
export async function endTokensOf(
  transaction: Database,
  organizationId: accounts.OrganizationId,
  accountId: accounts.AccountId,
): Promise<void> {
  const ended = await deleteTokensOf(transaction, organizationId, accountId);
  if (ended > 0) await raisePermissionVersion(transaction, organizationId);
}
