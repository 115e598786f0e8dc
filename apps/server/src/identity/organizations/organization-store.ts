import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId, Role, Username, WorkspaceId } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

/** No new organization can have this key; an existing one keeps it. */
export async function reserveOrganizationKey(database: Database, key: string): Promise<void> {
  await sql`
    INSERT INTO identity.reserved_organization_key (key) VALUES (${key}) ON CONFLICT DO NOTHING`.execute(
    database,
  );
}

/** False if the key is taken or reserved. */
export async function insertOrganization(
  database: Database,
  organization: {
    readonly id: OrganizationId;
    readonly key: Username;
    readonly name: string;
    readonly createdAt: EpochMicroseconds;
  },
): Promise<boolean> {
  const { id, key, name, createdAt } = organization;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO identity.organization (id, key, name, created_at)
    SELECT ${id}, ${key}, ${name}, ${isoMicroseconds(createdAt)}::timestamptz
    WHERE NOT EXISTS (SELECT FROM identity.reserved_organization_key AS reserved WHERE reserved.key = ${key})
    ON CONFLICT (key) DO NOTHING`.execute(database);
  return numAffectedRows > 0n;
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

/** Joins the organization and all its workspaces. Returns false and changes nothing for a member. */
export async function insertMemberships(database: Database, membership: NewMembership): Promise<boolean> {
  const { accountId, organizationId, role } = membership;
  const createdAt = isoMicroseconds(membership.createdAt);
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.organization_membership')
    .values({ organization_id: organizationId, account_id: accountId, role, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  const workspaces = await database
    .selectFrom('identity.workspace')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  if (workspaces.length === 0) return true;
  await database
    .insertInto('identity.workspace_membership')
    .values(
      workspaces.map(({ id }) => ({ workspace_id: id, account_id: accountId, role, created_at: createdAt })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

/** With `from`, only if that is the current organization. Notifies every process that caches the account. */
export async function setCurrentOrganization(
  database: Database,
  accountId: AccountId,
  { from, to }: { readonly from?: OrganizationId; readonly to: OrganizationId },
): Promise<void> {
  let update = database
    .updateTable('identity.account')
    .set({ organization_id: to })
    .where('id', '=', accountId);
  if (from !== undefined) update = update.where('organization_id', '=', from);
  await update.execute();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
}

export async function updateOrganizationName(
  database: Database,
  id: OrganizationId,
  name: string,
): Promise<void> {
  await database.updateTable('identity.organization').set({ name }).where('id', '=', id).execute();
}

export async function findOrganization(
  database: Database,
  id: OrganizationId,
): Promise<{ readonly key: Username; readonly name: string } | null> {
  const row = await database
    .selectFrom('identity.organization')
    .select(['key', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { key: row.key as Username, name: row.name };
}

/**
 * Serializes changes of permissions in an organization until the transaction ends. Not `FOR UPDATE`, which would
 * block every insert of a row that refers to the organization.
 */
export async function lockOrganization(database: Database, id: OrganizationId): Promise<void> {
  await database
    .selectFrom('identity.organization')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Changes of permissions in the organization wait until the transaction ends; other holders of this lock do not. */
export async function shareOrganization(database: Database, id: OrganizationId): Promise<void> {
  await database
    .selectFrom('identity.organization')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
}

/** All organizations of an account, in the order in which they are locked; before the account. */
export async function lockOrganizationsOf(
  database: Database,
  accountId: AccountId,
): Promise<readonly OrganizationId[]> {
  const rows = await database
    .selectFrom('identity.organization_membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .orderBy('organization_id')
    .execute();
  const ids = rows.map((row) => row.organization_id as OrganizationId);
  for (const id of ids) await lockOrganization(database, id);
  return ids;
}
