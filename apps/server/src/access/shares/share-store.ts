import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { invitations } from '../../identity/index.ts';
import { accounts } from '../../identity/index.ts';
import { isCurrentMembership, raisePermissionVersion } from '../authorities/authority-store.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import type { Share, ShareId, ShareLevel, ShareSubject } from './share.ts';

type OrganizationId = accounts.OrganizationId;

/** Those that have not ended with the API key that created them. */
function shares(database: Database) {
  return database
    .selectFrom('access.share as share')
    .innerJoin('identity.account as maker', 'maker.id', 'share.created_by')
    .leftJoin('identity.account as member', 'member.id', 'share.account_id')
    .leftJoin('access.user_group as group', (join) =>
      join
        .onRef('group.organization_id', '=', 'share.organization_id')
        .onRef('group.id', '=', 'share.group_id'),
    )
    .leftJoin('identity.invitation as invitation', 'invitation.id', 'share.invitation_id')
    .select([
      'share.invitation_id',
      'invitation.email as invited_email',
      'share.id',
      'share.organization_id',
      'share.resource',
      'share.level',
      'share.actions',
      'share.resources',
      'share.account_id',
      'member.username as member_username',
      'share.group_id',
      'group.name as group_name',
      'share.created_by',
      'maker.username as maker_username',
      'share.via_key_id',
      'share.created_at',
    ])
    .where(accounts.isOfLiveKey('share.via_key_id'));
}

type ShareRow = Awaited<ReturnType<ReturnType<typeof shares>['executeTakeFirstOrThrow']>>;

function shareOf(row: ShareRow): Share {
  return {
    id: row.id as ShareId,
    organizationId: row.organization_id as OrganizationId,
    resource: row.resource,
    level: row.level as ShareLevel,
    policy: { actions: row.actions, resources: row.resources },
    subject: subjectOf(row),
    maker: { id: row.created_by as accounts.AccountId, username: row.maker_username },
    viaKeyId: row.via_key_id,
    createdAt: fromTimestamptz(row.created_at),
  };
}

function subjectOf(row: ShareRow): ShareSubject {
  const { account_id: accountId, member_username: username, group_id: groupId, group_name: name } = row;
  if (groupId !== null) return { kind: 'group', id: groupId, name: name ?? '' };
  const { invitation_id: invitationId, invited_email: email } = row;
  if (invitationId !== null)
    return { kind: 'invited', id: invitationId as invitations.InvitationId, email: email ?? '' };
  return { kind: 'member', id: accountId as accounts.AccountId, username: username ?? '' };
}

export async function findShare(database: Database, id: ShareId): Promise<Share | null> {
  const row = await shares(database).where('share.id', '=', id).executeTakeFirst();
  return row === undefined ? null : shareOf(row);
}

/** The shares of one resource. */
export async function selectShares(
  database: Database,
  organizationId: OrganizationId,
  resource: string,
  request: PageRequest<ShareId>,
): Promise<readonly Share[]> {
  const query = shares(database)
    .where('share.organization_id', '=', organizationId)
    .where('share.resource', '=', resource);
  return (await selectPage(query, request, columns).execute()).map(shareOf);
}

const columns = { createdAt: 'share.created_at', id: 'share.id' } as const;

/** The shares of a member, also through their groups. */
export async function selectSharesWith(
  database: Database,
  organizationIds: readonly OrganizationId[],
  accountId: accounts.AccountId,
  request: PageRequest<ShareId>,
): Promise<readonly Share[]> {
  if (organizationIds.length === 0) return [];
  const query = shares(database)
    .where('share.organization_id', 'in', [...organizationIds])
    .where((where) =>
      where.or([
        where('share.account_id', '=', accountId),
        where('share.group_id', 'in', (own) =>
          own
            .selectFrom('access.group_user as own_group')
            .select('group_id')
            .where('organization_id', 'in', [...organizationIds])
            .where('account_id', '=', accountId)
            .where(isCurrentMembership('own_group')),
        ),
      ]),
    );
  return (await selectPage(query, request, columns).execute()).map(shareOf);
}

/** The direct shares of an account in an organization, by id. */
export async function selectSharesOfAccount(
  database: Database,
  organizationId: OrganizationId,
  accountId: accounts.AccountId,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Share[]> {
  let query = shares(database)
    .where('share.organization_id', '=', organizationId)
    .where('share.account_id', '=', accountId);
  if (page.after !== undefined) query = query.where('share.id', '>', page.after);
  return (await query.orderBy('share.id').limit(page.limit).execute()).map(shareOf);
}

export async function countShares(
  database: Database,
  organizationId: OrganizationId,
  resource: string,
): Promise<number> {
  const { count } = await database
    .selectFrom('access.share')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('resource', '=', resource)
    .executeTakeFirstOrThrow();
  return count;
}

const columnOf = { member: 'account_id', group: 'group_id', invited: 'invitation_id' } as const;

/** Requires the organization's lock. Replaces a share of the same resource with the same recipient; true if it replaced one. */
export async function replaceShare(database: Database, share: Share): Promise<boolean> {
  const { subject } = share;
  const column = columnOf[subject.kind];
  await deleteEndedShares(database, share);
  const { numDeletedRows } = await database
    .deleteFrom('access.share')
    .where('organization_id', '=', share.organizationId)
    .where('resource', '=', share.resource)
    .where(column, '=', subject.id)
    .executeTakeFirstOrThrow();
  await database
    .insertInto('access.share')
    .values({
      id: share.id,
      organization_id: share.organizationId,
      resource: share.resource,
      level: share.level,
      actions: [...share.policy.actions],
      resources: [...share.policy.resources],
      [column]: subject.id,
      created_by: share.maker.id,
      via_key_id: share.viaKeyId,
      created_at: isoMicroseconds(share.createdAt),
    })
    .execute();
  return numDeletedRows > 0n;
}

/** Those that ended with their API key: of a resource, or all. They grant nothing any more. */
export async function deleteEndedShares(
  database: Database,
  of: Pick<Share, 'organizationId' | 'resource'> | null,
): Promise<void> {
  let ended = database
    .deleteFrom('access.share')
    .where((where) => where.not(accounts.isOfLiveKey('via_key_id')));
  if (of !== null)
    ended = ended.where('organization_id', '=', of.organizationId).where('resource', '=', of.resource);
  await ended.execute();
}

/** False if it was deleted already. */
export async function deleteShare(database: Database, id: ShareId): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('access.share')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The shares that an account created, newest first. */
export async function selectSharesMadeBy(
  database: Database,
  accountId: accounts.AccountId,
  limit: number,
): Promise<readonly Share[]> {
  const rows = await shares(database)
    .where('share.created_by', '=', accountId)
    .orderBy('share.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(shareOf);
}

/** One or all shares that an account created. Returns the organizations that had some. */
export async function deleteSharesMadeBy(
  database: Database,
  accountId: accounts.AccountId,
  only: string | null,
): Promise<readonly OrganizationId[]> {
  let query = database.deleteFrom('access.share').where('created_by', '=', accountId);
  if (only !== null) query = query.where('id', '=', only);
  const rows = await query.returning('organization_id').execute();
  return [...new Set(rows.map(({ organization_id: id }) => id as OrganizationId))];
}

/** For resources that are deleted permanently or moved to another path. */
export async function deleteSharesOf(
  database: Database,
  organizationId: OrganizationId,
  resources: readonly string[],
): Promise<void> {
  if (resources.length === 0) return;
  const { numDeletedRows } = await database
    .deleteFrom('access.share')
    .where('organization_id', '=', organizationId)
    .where('resource', 'in', [...resources])
    .executeTakeFirstOrThrow();
  // A resource that returns to its path must not be open to a process that remembers the share.
  if (numDeletedRows > 0n) await raisePermissionVersion(database, organizationId);
}

/** The shares of groups: new users of a group gain them. */
export async function readSharesOfGroups(
  database: Database,
  organizationId: OrganizationId,
  groupIds: readonly number[],
): Promise<readonly WrittenPolicy[]> {
  if (groupIds.length === 0) return [];
  return database
    .selectFrom('access.share')
    .select(['actions', 'resources'])
    .where('organization_id', '=', organizationId)
    .where('group_id', 'in', [...groupIds])
    .where(accounts.isOfLiveKey('via_key_id'))
    .execute();
}

/** The pending shares of an invitation. */
export async function selectSharesOfInvitation(
  database: Database,
  invitationId: invitations.InvitationId,
): Promise<readonly Share[]> {
  const query = shares(database).where('share.invitation_id', '=', invitationId).orderBy('share.id');
  return (await query.execute()).map(shareOf);
}

export async function giveShareTo(
  database: Database,
  id: ShareId,
  accountId: accounts.AccountId,
): Promise<void> {
  await database
    .updateTable('access.share')
    .set({ account_id: accountId, invitation_id: null })
    .where('id', '=', id)
    .execute();
}

/** Moves pending shares to the invitation that replaces another. */
export async function moveSharesOfInvitation(
  database: Database,
  from: invitations.InvitationId,
  to: invitations.InvitationId,
): Promise<void> {
  await database
    .updateTable('access.share')
    .set({ invitation_id: to })
    .where('invitation_id', '=', from)
    .execute();
}

export async function deleteSharesOfInvitation(
  database: Database,
  invitationId: invitations.InvitationId,
): Promise<void> {
  await database.deleteFrom('access.share').where('invitation_id', '=', invitationId).execute();
}
