import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import { invitations } from '../../identity/index.ts';

export interface OrganizationContents {
  readonly members: number;
  readonly invitations: number;
  readonly tokens: number;
  readonly groups: number;
  readonly policies: number;
  readonly shares: number;
}

/** The rows that are deleted with an organization, beside those of other domains. */
export async function countContents(
  database: Database,
  organizationId: accounts.OrganizationId,
  now: EpochMicroseconds,
): Promise<OrganizationContents> {
  const count = async (
    table:
      | 'identity.organization_membership'
      | 'access.platform_token'
      | 'access.user_group'
      | 'access.policy'
      | 'access.share',
  ): Promise<number> => {
    const { rows } = await database
      .selectFrom(table)
      .select((select) => select.fn.countAll<bigint>().as('rows'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  return {
    members: await count('identity.organization_membership'),
    invitations: await invitations.countOpenInvitations(database, organizationId, now),
    tokens: await count('access.platform_token'),
    groups: await count('access.user_group'),
    policies: await count('access.policy'),
    shares: await count('access.share'),
  };
}

/** Shares, tokens, groups and policies of an organization without members. */
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
