import { defineAuditKind } from '../../audit/index.ts';
import { invitations } from '../../identity/index.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import { deleteSharesOfInvitation } from '../shares/share-store.ts';

export const invitationCancelled = defineAuditKind('invitation_cancelled', 'You cancelled an invitation.');

/** A member who may invite may cancel any invitation: cancelling grants nothing. */
export async function cancelInvitation(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly invitationId: invitations.InvitationId },
): Promise<void> {
  const { invitationId } = request;
  return changeOrganization(deps, request, async ({ transaction, actor, now }) => {
    const { id, key } = actor.organization;
    requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
    const cancelled = await invitations.cancelInvitations(transaction, id, { id: invitationId }, now);
    if (cancelled === 0) throw notFoundOrHidden();
    await deleteSharesOfInvitation(transaction, invitationId);
    return { result: undefined, event: { kind: invitationCancelled, detail: { invitationId } } };
  });
}
