import { defineAuditKind } from '../../audit/index.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { memberships } from '../../identity/index.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermissionOn } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireWithin } from '../changes/require-within.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import { policiesOfRole } from '../core-permissions/role-policies.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ListedMember } from './read-members.ts';
import { describeMembers } from './read-members.ts';

export const memberRoleChanged = defineAuditKind(
  'member_role_changed',
  (word) => `You changed the role of a member from ${word('from')} to ${word('to')}.`,
);

/** Both the old and the new role must be within the authority of the caller. */
export async function changeRole(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly username: string; readonly role: accounts.Role },
): Promise<ListedMember> {
  const { username, role } = request;
  return changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { id, key } = actor.organization;
    requirePermissionOn(
      actor,
      memberActions.update,
      resourceOf(key, 'members', username),
      memberActions.read,
    );
    const [member] = await memberships.findMembers(transaction, id, [username]);
    if (member === undefined) throw notFoundOrHidden();
    for (const one of [member.role, role]) requireWithin(actor, policiesOfRole(one, key), 'role');
    const [listed] = (await describeMembers(transaction, actor, [member])) as [ListedMember];
    if (member.role === role) return { result: listed, event: null };
    if (memberships.isLastOwner(member, await memberships.listRemainingOwners(transaction, id)))
      throw new ProblemError(conflict, 'An organization must have at least one owner.');
    await memberships.updateRole(transaction, id, member.id, role);
    const detail = { memberId: member.id, from: member.role, to: role };
    return { result: { ...listed, role }, event: { kind: memberRoleChanged, detail } };
  });
}
