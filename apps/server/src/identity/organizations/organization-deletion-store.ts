import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId, Username } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';
import { hasAnySecondFactor } from './second-factor-requirement-store.ts';

export interface OrganizationDeletion {
  readonly organizationId: OrganizationId;
  readonly requestedBy: AccountId;
  readonly requestedAt: EpochMicroseconds;
  readonly dueAt: EpochMicroseconds;
}

/** False if the deletion was requested before. */
export async function insertOrganizationDeletion(
  database: Database,
  deletion: OrganizationDeletion,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.organization_deletion')
    .values({
      organization_id: deletion.organizationId,
      requested_by: deletion.requestedBy,
      requested_at: isoMicroseconds(deletion.requestedAt),
      due_at: isoMicroseconds(deletion.dueAt),
    })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** The delete decides between an owner who restores the organization and the worker. With `dueBy`, only if it is due. */
export async function takeOrganizationDeletion(
  database: Database,
  organizationId: OrganizationId,
  dueBy?: EpochMicroseconds,
): Promise<boolean> {
  let query = database
    .deleteFrom('identity.organization_deletion')
    .where('organization_id', '=', organizationId);
  if (dueBy !== undefined) query = query.where('due_at', '<=', isoMicroseconds(dueBy));
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The due ones, by id, after the given one. */
export async function findDueOrganizationDeletions(
  database: Database,
  now: EpochMicroseconds,
  page: { readonly limit: number; readonly after?: OrganizationId },
): Promise<readonly OrganizationId[]> {
  let query = database
    .selectFrom('identity.organization_deletion')
    .select('organization_id')
    .where('due_at', '<=', isoMicroseconds(now));
  if (page.after !== undefined) query = query.where('organization_id', '>', page.after);
  const rows = await query.orderBy('organization_id').limit(page.limit).execute();
  return rows.map((row) => row.organization_id as OrganizationId);
}

export interface DeletedOrganization {
  readonly id: OrganizationId;
  readonly key: Username;
  readonly name: string;
  readonly dueAt: EpochMicroseconds;
  /** The organization requires a second factor, and the requesting owner has none. */
  readonly lacksSecondFactor: boolean;
}

/** Organizations scheduled for deletion that the account owns and can restore. */
export async function listRestorableOrganizations(
  database: Database,
  accountId: AccountId,
): Promise<readonly DeletedOrganization[]> {
  const rows = await database
    .selectFrom('identity.organization_deletion as deletion')
    .innerJoin('identity.organization as organization', 'organization.id', 'deletion.organization_id')
    .innerJoin('identity.organization_membership as member', 'member.organization_id', 'organization.id')
    .select(['organization.id', 'organization.key', 'organization.name', 'deletion.due_at'])
    .select((select) =>
      select
        .and([
          select('organization.requires_second_factor', '=', true),
          select.not(hasAnySecondFactor('member.account_id')),
        ])
        .as('lacks_second_factor'),
    )
    .where('member.account_id', '=', accountId)
    .where('member.role', '=', 'owner')
    .orderBy('deletion.due_at')
    .orderBy('organization.id')
    .execute();
  return rows.map((row) => ({
    id: row.id as OrganizationId,
    key: row.key as Username,
    name: row.name,
    dueAt: fromTimestamptz(row.due_at),
    lacksSecondFactor: row.lacks_second_factor === true,
  }));
}

/** A condition for queries of organizations: no deletion is scheduled. `column` is the organization's id. */
export function isNotDeleted(column: string): RawBuilder<SqlBool> {
  return sql`NOT EXISTS (SELECT FROM identity.organization_deletion AS deletion
    WHERE deletion.organization_id = ${sql.ref(column)})`;
}

/**
 * Locks the accounts of all members, by id. `switchOrganization` locks the account before it reads the organization: it
 * either committed before, or finds the organization deleted.
 */
export async function lockMembers(transaction: Database, organizationId: OrganizationId): Promise<void> {
  await sql`
    SELECT account.id FROM identity.account
    WHERE account.id IN (SELECT account_id FROM identity.organization_membership WHERE organization_id = ${organizationId})
    ORDER BY account.id FOR NO KEY UPDATE`.execute(transaction);
}

export interface StrandedMember {
  readonly id: AccountId;
  readonly username: Username;
  readonly name: string;
}

/**
 * Requires locked members and the inserted deletion. Switches members whose current organization it is to their oldest
 * other one. Returns those who have no other.
 */
export async function moveMembersElsewhere(
  transaction: Database,
  organizationId: OrganizationId,
): Promise<readonly StrandedMember[]> {
  await sql`
    UPDATE identity.account SET organization_id = next.organization_id FROM (
      SELECT DISTINCT ON (account_id) account_id, organization_id FROM identity.organization_membership AS member
      WHERE NOT EXISTS (SELECT FROM identity.organization_deletion AS deletion
        WHERE deletion.organization_id = member.organization_id)
      AND account_id IN (SELECT account_id FROM identity.organization_membership
        WHERE organization_id = ${organizationId})
      ORDER BY account_id, created_at, organization_id) AS next
    WHERE account.id = next.account_id AND account.organization_id = ${organizationId}`.execute(transaction);
  const rows = await transaction
    .selectFrom('identity.account')
    .select(['id', 'username', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (members) =>
      members
        .selectFrom('identity.organization_membership')
        .select('account_id')
        .where('organization_id', '=', organizationId),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id, username, name }) => ({
    id: id as AccountId,
    username: username as Username,
    name,
  }));
}

/** Every process evicts the members from its caches. */
export async function notifyMembers(transaction: Database, organizationId: OrganizationId): Promise<void> {
  await sql`
    SELECT pg_notify(${credentialChannel}, account_id::text) FROM identity.organization_membership
    WHERE organization_id = ${organizationId}`.execute(transaction);
}

/** From the organization, its workspaces and, by foreign key, its groups. */
export async function deleteAllMemberships(
  transaction: Database,
  organizationId: OrganizationId,
): Promise<void> {
  await notifyMembers(transaction, organizationId);
  await transaction
    .deleteFrom('identity.workspace_membership')
    .where('workspace_id', 'in', (workspaces) =>
      workspaces.selectFrom('identity.workspace').select('id').where('organization_id', '=', organizationId),
    )
    .execute();
  await transaction
    .deleteFrom('identity.organization_membership')
    .where('organization_id', '=', organizationId)
    .execute();
}

/** The recipients of mail about the organization. */
export async function listOwnerAddresses(
  database: Database,
  organizationId: OrganizationId,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('identity.organization_membership as member')
    .innerJoin('identity.account as account', 'account.id', 'member.account_id')
    .select('account.email')
    .where('member.organization_id', '=', organizationId)
    .where('member.role', '=', 'owner')
    .orderBy('account.id')
    .execute();
  return rows.map(({ email }) => email);
}
