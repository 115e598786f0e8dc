import type { Database } from '../../foundation/database/database.ts';
import type { accounts } from '../../identity/index.ts';

/** Shares, tokens, groups and policies of an organization that nobody is left in. */
export async function deletePermissionsOf(
  database: Database,
  organizationId: accounts.OrganizationId,
): Promise<void> {
  for (const table of [
    'access.share',
    'access.platform_token',
    'access.user_group',
    'access.policy',
  ] as const)
    await database.deleteFrom(table).where('organization_id', '=', organizationId).execute();
}
