import { sql } from 'kysely';

import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { AccountId, OrganizationId, Role, Username } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';
import { isNotDeleted } from '../organizations/organization-deletion-store.ts';
import { hasAnySecondFactor } from '../organizations/second-factor-requirement-store.ts';
import type { PictureId } from '../pictures/picture-store.ts';

/** The current state of an account in one organization. */
export interface Standing {
  readonly organizationId: OrganizationId;
  readonly organizationKey: Username;
  readonly superuser: boolean;
  /** The organization requires a second factor, and the account has none. */
  readonly lacksSecondFactor: boolean;
  /** Null if it is not a member. */
  readonly membership: {
    readonly role: Role;
    readonly since: EpochMicroseconds;
    readonly lastSeenAt: EpochMicroseconds | null;
  } | null;
}

/**
 * Null if the organization or account does not exist, and while the organization is scheduled for deletion. Every
 * request to the platform and to storage is authorized here, so such an organization is inaccessible.
 */
export async function findStanding(
  database: Database,
  accountId: AccountId,
  organization: { readonly key: string } | { readonly id: OrganizationId },
): Promise<Standing | null> {
  const query = database
    .selectFrom('identity.organization as organization')
    .innerJoin('identity.account as account', (join) => join.on('account.id', '=', accountId))
    .leftJoin('identity.organization_membership as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'organization.id')
        .onRef('member.account_id', '=', 'account.id'),
    )
    .select([
      'organization.id',
      'organization.key',
      'account.superuser',
      'member.role',
      'member.created_at',
      'member.last_seen_at',
    ])
    .select((select) =>
      select
        .and([
          select('organization.requires_second_factor', '=', true),
          select.not(hasAnySecondFactor('account.id')),
        ])
        .as('lacks_second_factor'),
    )
    .where(isNotDeleted('organization.id'));
  const row = await (
    'key' in organization
      ? query.where('organization.key', '=', organization.key)
      : query.where('organization.id', '=', organization.id)
  ).executeTakeFirst();
  if (row === undefined) return null;
  return {
    organizationId: row.id as OrganizationId,
    organizationKey: row.key as Username,
    superuser: row.superuser,
    lacksSecondFactor: row.lacks_second_factor === true,
    membership:
      row.role === null || row.created_at === null
        ? null
        : {
            role: row.role as Role,
            since: fromTimestamptz(row.created_at),
            lastSeenAt: row.last_seen_at === null ? null : fromTimestamptz(row.last_seen_at),
          },
  };
}

export interface Member {
  readonly id: AccountId;
  readonly username: Username;
  readonly name: string;
  readonly pictureId: PictureId | null;
  readonly role: Role;
  readonly createdAt: EpochMicroseconds;
  /** When the member last acted here with a session, to five minutes. */
  readonly lastSeenAt: EpochMicroseconds | null;
}

const seenAgainMs = 5 * 60_000;

/** Written at most once in five minutes. */
export async function markMemberSeen(
  database: Database,
  organizationId: OrganizationId,
  accountId: AccountId,
  { lastSeenAt, now }: { readonly lastSeenAt: EpochMicroseconds | null; readonly now: EpochMicroseconds },
): Promise<void> {
  if (lastSeenAt !== null && now < addMs(lastSeenAt, seenAgainMs)) return;
  await database
    .updateTable('identity.organization_membership')
    .set({ last_seen_at: isoMicroseconds(now) })
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
}

function members(database: Database, organizationId: OrganizationId) {
  return database
    .selectFrom('identity.organization_membership as member')
    .innerJoin('identity.account as account', 'account.id', 'member.account_id')
    .leftJoin('identity.account_picture as picture', 'picture.account_id', 'account.id')
    .select([
      'account.id',
      'account.username',
      'account.name',
      'picture.id as picture_id',
      'member.role',
      'member.created_at',
      'member.last_seen_at',
    ])
    .where('member.organization_id', '=', organizationId);
}

interface MemberRow {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly picture_id: string | null;
  readonly role: string;
  readonly created_at: string;
  readonly last_seen_at: string | null;
}

function memberOf(row: MemberRow): Member {
  return {
    id: row.id as AccountId,
    username: row.username as Username,
    name: row.name,
    pictureId: row.picture_id as PictureId | null,
    role: row.role as Role,
    createdAt: fromTimestamptz(row.created_at),
    lastSeenAt: row.last_seen_at === null ? null : fromTimestamptz(row.last_seen_at),
  };
}

export async function listMembers(
  database: Database,
  organizationId: OrganizationId,
  request: PageRequest<AccountId>,
  /** Matches name or username, case-insensitively. */
  query?: string,
): Promise<readonly Member[]> {
  let found = members(database, organizationId);
  if (query !== undefined) {
    const pattern = containsPattern(query);
    found = found.where((where) =>
      where.or([where('account.name', 'ilike', pattern), where('account.username', 'ilike', pattern)]),
    );
  }
  const columns = { createdAt: 'member.created_at', id: 'member.account_id' } as const;
  const rows = await selectPage(found, request, columns).execute();
  return rows.map(memberOf);
}

/** The usernames that are members. */
export async function findMembers(
  database: Database,
  organizationId: OrganizationId,
  usernames: readonly string[],
): Promise<readonly Member[]> {
  if (usernames.length === 0) return [];
  const rows = await members(database, organizationId)
    .where('account.username', 'in', [...usernames])
    .execute();
  return rows.map(memberOf);
}

/** Without accounts scheduled for deletion: an organization must not depend on their return. */
export async function listRemainingOwners(
  database: Database,
  organizationId: OrganizationId,
): Promise<readonly AccountId[]> {
  const rows = await database
    .selectFrom('identity.organization_membership as member')
    .leftJoin('identity.account_deletion as deletion', 'deletion.account_id', 'member.account_id')
    .select('member.account_id')
    .where('member.organization_id', '=', organizationId)
    .where('member.role', '=', 'owner')
    .where('deletion.account_id', 'is', null)
    .execute();
  return rows.map((row) => row.account_id as AccountId);
}

/** Cannot leave or change role. */
export function isLastOwner(
  { id, role }: Pick<Member, 'id' | 'role'>,
  remainingOwners: readonly AccountId[],
): boolean {
  return role === 'owner' && remainingOwners.every((owner) => owner === id);
}

/** In the organization and its workspaces; notifies every process that caches the account. */
export async function updateRole(
  database: Database,
  organizationId: OrganizationId,
  accountId: AccountId,
  role: Role,
): Promise<void> {
  await database
    .updateTable('identity.organization_membership')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
  await database
    .updateTable('identity.workspace_membership')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('workspace_id', 'in', (workspaces) =>
      workspaces.selectFrom('identity.workspace').select('id').where('organization_id', '=', organizationId),
    )
    .execute();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
}

/** From the organization, its workspaces and, by foreign key, its groups; notifies all processes with the account. */
export async function deleteMembership(
  database: Database,
  organizationId: OrganizationId,
  accountId: AccountId,
): Promise<void> {
  await database
    .deleteFrom('identity.workspace_membership')
    .where('account_id', '=', accountId)
    .where('workspace_id', 'in', (workspaces) =>
      workspaces.selectFrom('identity.workspace').select('id').where('organization_id', '=', organizationId),
    )
    .execute();
  await database
    .deleteFrom('identity.organization_membership')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
}

export interface OwnOrganization {
  readonly id: OrganizationId;
  readonly key: Username;
  readonly name: string;
  readonly role: Role;
  /** When the account joined. */
  readonly createdAt: EpochMicroseconds;
}

/** The memberships of an account. */
export async function listOwnOrganizations(
  database: Database,
  accountId: AccountId,
  request: PageRequest<OrganizationId>,
): Promise<readonly OwnOrganization[]> {
  const query = database
    .selectFrom('identity.organization_membership as member')
    .innerJoin('identity.organization as organization', 'organization.id', 'member.organization_id')
    .select(['organization.id', 'organization.key', 'organization.name', 'member.role', 'member.created_at'])
    .where('member.account_id', '=', accountId)
    .where(isNotDeleted('organization.id'));
  const columns = { createdAt: 'member.created_at', id: 'member.organization_id' } as const;
  const rows = await selectPage(query, request, columns).execute();
  return rows.map((row) => ({
    id: row.id as OrganizationId,
    key: row.key as Username,
    name: row.name,
    role: row.role as Role,
    createdAt: fromTimestamptz(row.created_at),
  }));
}

export async function countOwnedOrganizations(database: Database, accountId: AccountId): Promise<number> {
  const { count } = await database
    .selectFrom('identity.organization_membership')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The account's oldest membership; null if it has none. */
export async function findOldestMembership(
  database: Database,
  accountId: AccountId,
): Promise<OrganizationId | null> {
  const row = await database
    .selectFrom('identity.organization_membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .where(isNotDeleted('organization_membership.organization_id'))
    .orderBy('created_at')
    .orderBy('organization_id')
    .limit(1)
    .executeTakeFirst();
  return (row?.organization_id ?? null) as OrganizationId | null;
}
