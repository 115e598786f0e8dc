import type { Database } from '../../foundation/database/database.ts';
import type { accounts, credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { selectTokenIdsOf } from './platform-token-store.ts';
import { deleteTokensAndTheirPolicies } from './policy-of-token.ts';

/** Those that an account has made, with the organization's lock held. Every process hears of it. */
async function endTokensOf(
  transaction: Database,
  organizationId: accounts.OrganizationId,
  accountId: accounts.AccountId,
): Promise<void> {
  const tokenIds = await selectTokenIdsOf(transaction, organizationId, accountId);
  await deleteTokensAndTheirPolicies(transaction, organizationId, tokenIds);
  if (tokenIds.length > 0) await raisePermissionVersion(transaction, organizationId);
}

/** In both modes: their maker knows the secret. `removeMember` ends them in one organization. */
export const platformTokenKind: credentials.CredentialKind = {
  name: 'platform tokens',
  columns: ['access.platform_token.created_by'],
  effects: {
    password_change: { stays: 'Programs go on; a reset ends them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    deletion: 'ends',
    removal_from_organization: 'ends',
  },
  end: async (transaction, _deps, { accountId, organizationIds }) => {
    for (const id of organizationIds) await endTokensOf(transaction, id, accountId);
  },
};
