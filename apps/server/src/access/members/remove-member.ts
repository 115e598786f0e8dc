import { defineAuditKind } from '../../audit/index.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { memberships } from '../../identity/index.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermissionOn } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireWithin } from '../changes/require-within.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import { policiesOfRole } from '../core-permissions/role-policies.ts';
import { isPerson } from '../credentials/caller.ts';
import { selectTokenIdsOf } from '../credentials/platform-token-store.ts';
import { resourceOf } from '../permissions/resource.ts';
import { deleteTokensAndTheirPolicies } from '../platform-tokens/policy-of-token.ts';
import { policyDeletedEvent } from '../policies/policy-resource.ts';

export const memberRemoved = defineAuditKind(
  'member_removed',
  (word) => `You removed ${word('username')} from an organization.`,
);
export const memberLeft = defineAuditKind('member_left', 'You left an organization.');

/**
 * Every member may leave; to remove another, the caller must have all permissions of the other's role. The last owner
 * stays. The member's tokens end too, in both modes: a person without access knows their secrets.
 */
export async function removeMember(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly username: string },
): Promise<void> {
  const { username } = request;
  return changeOrganization(deps, request, async ({ transaction, actor, now }) => {
    const { id, key } = actor.organization;
    const leaving = isPerson(actor.caller, username);
    const resource = resourceOf(key, 'members', username);
    if (!leaving) requirePermissionOn(actor, memberActions.delete, resource, memberActions.read);
    const [member] = await memberships.findMembers(transaction, id, [username]);
    if (member === undefined) throw notFoundOrHidden();
    if (!leaving) requireWithin(actor, policiesOfRole(member.role, key), 'role');
    if (memberships.isLastOwner(member, await memberships.listRemainingOwners(transaction, id)))
      throw new ProblemError(conflict, 'An organization must have at least one owner.');
    await memberships.leaveOrganization(transaction, deps, id, member, now);
    const tokenIds = await selectTokenIdsOf(transaction, id, member.id);
    const policyIds = await deleteTokensAndTheirPolicies(transaction, id, tokenIds);
    const detail = { memberId: member.id, username, role: member.role, tokensEnded: tokenIds.length };
    return {
      result: undefined,
      event: { kind: leaving ? memberLeft : memberRemoved, detail },
      furtherEvents: policyIds.map(policyDeletedEvent),
    };
  });
}
