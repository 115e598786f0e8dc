import type { Database } from '../../foundation/database/database.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { memberships } from '../../identity/index.ts';
import { actForMembers } from '../core-permissions/core-actions.ts';
import type { OrganizationActor } from '../credentials/caller.ts';
import type { Action } from '../permissions/action.ts';
import { allows } from '../permissions/authority.ts';
import type { Resource } from '../permissions/resource.ts';
import { resourceOf } from '../permissions/resource.ts';
import { notFoundOrHidden } from './authorize-organization.ts';

/** For resources that every member knows to exist: raises `forbidden`. */
export function requirePermission(
  { authority }: Pick<OrganizationActor, 'authority'>,
  action: Action,
  resource: Resource,
): void {
  if (!allows(authority, action, resource))
    throw new ProblemError(forbidden, `This requires the permission ${action.text} on ${resource.text}.`);
}

/** For one of many resources: raises `not_found` for callers who may not read it. */
export function requirePermissionOn(
  actor: OrganizationActor,
  action: Action,
  resource: Resource,
  reading: Action,
): void {
  if (!allows(actor.authority, action, resource) && !allows(actor.authority, reading, resource))
    throw notFoundOrHidden();
  requirePermission(actor, action, resource);
}

/** Whether the caller may see and change the resources of a member. */
export function mayActFor(
  { caller, organization, authority }: OrganizationActor,
  member: { readonly id: accounts.AccountId; readonly username: string },
): boolean {
  return (
    member.id === caller.accountId ||
    allows(authority, actForMembers, resourceOf(organization.key, 'members', member.username))
  );
}

/** The `{username}` of a path: the caller, or another member if the caller may act for members. */
export async function requireActingFor(
  { database }: { readonly database: Database },
  actor: OrganizationActor,
  username: string,
): Promise<{ readonly id: accounts.AccountId; readonly username: string }> {
  const { caller, organization } = actor;
  if (username === caller.username) return { id: caller.accountId, username };
  requirePermission(actor, actForMembers, resourceOf(organization.key, 'members', username));
  const [member] = await memberships.findMembers(database, organization.id, [username]);
  if (member === undefined) throw notFoundOrHidden();
  return member;
}
