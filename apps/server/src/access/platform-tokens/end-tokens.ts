import type { Database } from '../../foundation/database/database.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { accounts, credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import {
  selectTokenIdsOf,
  selectTokenOrganizationsOf,
  selectTokensMadeBy,
} from '../credentials/platform-token-store.ts';
import { deleteTokensAndTheirPolicies } from './policy-of-token.ts';

/** The tokens of an account, under the organization's lock. Notifies every process. */
async function endTokensOf(
  transaction: Database,
  organizationId: accounts.OrganizationId,
  { accountId, only }: Pick<credentials.Ending, 'accountId' | 'only'>,
): Promise<void> {
  const made = await selectTokenIdsOf(transaction, organizationId, accountId);
  const tokenIds = made.filter((id) => only === null || only === id);
  await deleteTokensAndTheirPolicies(transaction, organizationId, tokenIds);
  if (tokenIds.length > 0) await raisePermissionVersion(transaction, organizationId);
}

/** In both modes: their creator knows the secret. `removeMember` ends them in one organization. */
export const platformTokenKind: credentials.CredentialKind = {
  name: 'platform tokens',
  columns: ['access.platform_token.created_by'],
  effects: {
    password_change: { stays: 'Programs continue to work. A reset revokes them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: 'ends',
  },
  list: async (database, { accountId, limit }) =>
    (await selectTokensMadeBy(database, accountId, { limit })).map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: isoMilliseconds(createdAt),
      lastUsedAt: lastUsedAt === null ? null : isoMilliseconds(lastUsedAt),
      origin: null,
    })),
  end: async (transaction, _deps, { organizationIds, ...ending }) => {
    // A superuser creates tokens in organizations of others too.
    const isInOne = ending.event === 'removal_from_organization';
    const elsewhere = isInOne ? [] : await selectTokenOrganizationsOf(transaction, ending.accountId);
    for (const id of new Set([...organizationIds, ...elsewhere])) await endTokensOf(transaction, id, ending);
  },
};
