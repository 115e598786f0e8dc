import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId, Role, Username, WorkspaceId } from '../accounts/account.ts';

export async function insertOrganization(
  database: Database,
  organization: {
    readonly id: OrganizationId;
    readonly key: Username;
    readonly name: string;
    readonly createdAt: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('identity.organization')
    .values({
      id: organization.id,
      key: organization.key,
      name: organization.name,
      created_at: isoMicroseconds(organization.createdAt),
    })
    .execute();
}

export async function insertWorkspace(
  database: Database,
  workspace: {
    readonly id: WorkspaceId;
    readonly organizationId: OrganizationId;
    readonly name: string;
    readonly createdAt: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('identity.workspace')
    .values({
      id: workspace.id,
      organization_id: workspace.organizationId,
      name: workspace.name,
      created_at: isoMicroseconds(workspace.createdAt),
    })
    .execute();
}

export interface NewMembership {
  readonly accountId: AccountId;
  readonly organizationId: OrganizationId;
  readonly role: Role;
  readonly createdAt: EpochMicroseconds;
}

/** Joins the organization and every workspace it has now; whoever is in already keeps the role. */
export async function insertMemberships(database: Database, membership: NewMembership): Promise<void> {
  const { accountId, organizationId, role } = membership;
  const createdAt = isoMicroseconds(membership.createdAt);
  await database
    .insertInto('identity.organization_membership')
    .values({ organization_id: organizationId, account_id: accountId, role, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const workspaces = await database
    .selectFrom('identity.workspace')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  if (workspaces.length === 0) return;
  await database
    .insertInto('identity.workspace_membership')
    .values(
      workspaces.map(({ id }) => ({ workspace_id: id, account_id: accountId, role, created_at: createdAt })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function setCurrentOrganization(
  database: Database,
  accountId: AccountId,
  organizationId: OrganizationId,
): Promise<void> {
  await database
    .updateTable('identity.account')
    .set({ organization_id: organizationId })
    .where('id', '=', accountId)
    .execute();
}

export async function findOrganizationName(database: Database, id: OrganizationId): Promise<string | null> {
  const row = await database
    .selectFrom('identity.organization')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name ?? null;
}
