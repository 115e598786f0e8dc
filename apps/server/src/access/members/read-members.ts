import type { Database } from '../../foundation/database/database.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { accounts } from '../../identity/index.ts';
import { memberships, organizations } from '../../identity/index.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import { groupActions, memberActions } from '../core-permissions/core-actions.ts';
import { policiesOfRole, roles } from '../core-permissions/role-policies.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import { isPerson } from '../credentials/caller.ts';
import { selectGroupsOf } from '../groups/group-store.ts';
import type { Action } from '../permissions/action.ts';
import { allows, compileAuthority } from '../permissions/authority.ts';
import { escalationOf } from '../permissions/escalation.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';

export interface ListedMember extends memberships.Member {
  /** The groups that the caller may read. */
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  /** Null if the caller may not manage the member. */
  readonly hasSecondFactor: boolean | null;
}

/** Fields of members in a list beyond their membership. */
export async function describeMembers(
  database: Database,
  { organization, authority }: OrganizationActor,
  members: readonly memberships.Member[],
): Promise<readonly ListedMember[]> {
  const ids = members.map(({ id }) => id);
  const groups = await selectGroupsOf(database, organization.id, ids);
  const readable = groups.filter(({ id }) =>
    allows(authority, groupActions.read, resourceOf(organization.key, 'groups', String(id))),
  );
  const withSecondFactor = await organizations.secondFactors.selectWithSecondFactor(database, ids);
  const mayManage = (username: string): boolean =>
    allows(authority, memberActions.update, resourceOf(organization.key, 'members', username));
  return members.map((member) => ({
    ...member,
    hasSecondFactor: mayManage(member.username) ? withSecondFactor.has(member.id) : null,
    groups: readable.filter(({ accountId }) => accountId === member.id).map(({ id, name }) => ({ id, name })),
  }));
}

export async function listMembers<Shown>(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string; readonly query?: string },
  present: (member: ListedMember) => Shown,
): Promise<Page<Shown>> {
  const actor = await authorizeOrganization(deps, caller, query.platform_key);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.read, resourceOf(key, 'members'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'account'>(),
    route: 'listMembers',
    tenant: id,
    filters: query.query === undefined ? null : { query: query.query },
  });
  const found = await memberships.listMembers(deps.database, id, request, query.query);
  return presentPage(request, await describeMembers(deps.database, actor, found), present);
}

export interface MemberChoices {
  /** The roles that the caller may assign: those within the caller's authority. */
  readonly roles: readonly accounts.Role[];
  readonly mayChange: (member: memberships.Member) => boolean;
  readonly mayRemove: (member: memberships.Member) => boolean;
  /** Cannot leave or change role. */
  readonly isLastOwner: (member: memberships.Member) => boolean;
}

/** For pages that offer it; the use cases check again. */
export async function readMemberChoices(
  deps: ReadDeps,
  caller: Caller,
  platformKey: string,
): Promise<MemberChoices> {
  const { authority, organization } = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = organization;
  const within = roles.filter(
    (role) => escalationOf(authority, compileAuthority(policiesOfRole(role, key))) === null,
  );
  const may = (action: Action, { username, role }: memberships.Member): boolean =>
    within.includes(role) && allows(authority, action, resourceOf(key, 'members', username));
  const owners = await memberships.listRemainingOwners(deps.database, id);
  return {
    roles: within,
    mayChange: (member) => may(memberActions.update, member),
    mayRemove: (member) => member.id === caller.accountId || may(memberActions.delete, member),
    isLastOwner: (member) => memberships.isLastOwner(member, owners),
  };
}

/** One member; `not_found` for callers who may not read them. A member always finds themselves, to leave. */
export async function readMember(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, username }: { readonly platformKey: string; readonly username: string },
): Promise<ListedMember> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  if (
    !isPerson(caller, username) &&
    !allows(actor.authority, memberActions.read, resourceOf(key, 'members', username))
  )
    throw notFoundOrHidden();
  const found = await memberships.findMembers(deps.database, id, [username]);
  const [member] = await describeMembers(deps.database, actor, found);
  if (member === undefined) throw notFoundOrHidden();
  return member;
}

/** The usernames that are members, for callers who may list them. */
export async function readMembers(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, usernames }: { readonly platformKey: string; readonly usernames: readonly string[] },
): Promise<readonly memberships.Member[]> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.read, resourceOf(key, 'members'));
  return usernames.length === 0 ? [] : memberships.findMembers(deps.database, id, usernames);
}
