import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import { invitations } from '../../identity/index.ts';
import { readPresentActor } from '../authorities/read-present-actor.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import { policiesOfRole } from '../core-permissions/role-policies.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import { callerOfAccount } from '../credentials/caller.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import { allows, compileAuthority } from '../permissions/authority.ts';
import { escalationOf } from '../permissions/escalation.ts';
import { resourceOf } from '../permissions/resource.ts';
import { deleteSharesOfInvitation } from '../shares/share-store.ts';

/** An invitation grants a role: the role must be within the authority of its sender. */
export function mayInviteAs(
  { authority, organization }: OrganizationActor,
  role: accounts.InvitedRole,
): boolean {
  const { key } = organization;
  return (
    allows(authority, memberActions.create, resourceOf(key, 'members')) &&
    escalationOf(authority, compileAuthority(policiesOfRole(role, key))) === null
  );
}

/**
 * Requires the organization's lock. Null if the sender has left or lacks a required second factor, or the token that
 * sent it was deleted.
 */
export function readInvitationSender(
  transaction: Database,
  invitation: invitations.Invitation,
  now: EpochMicroseconds,
): Promise<OrganizationActor | null> {
  return readPresentActor(transaction, senderOf(invitation), invitation.organizationId, now, 'nothing');
}

/** For a token, its current authority decides; its mode at the time of sending does not. */
function senderOf({ sender, viaTokenId, organizationId }: invitations.Invitation): Caller {
  if (viaTokenId === null) return callerOfAccount(sender, '');
  const tokenId = viaTokenId as PlatformTokenId;
  return {
    accountId: sender.id,
    username: sender.username,
    credential: { kind: 'api_token', tokenId, organizationId, mode: 'owner' },
  };
}

/**
 * Ends the open invitations whose sender may no longer grant their role. Requires the organization's lock. A sender
 * loses authority by a change of role, but also of a group, a policy or a token. All of these are changes of the
 * organization, so this runs at the end of every such change: an invitation that ended stays void when the sender
 * regains the authority. Returns how many ended.
 */
export async function endVoidInvitations(
  transaction: Database,
  organizationId: accounts.OrganizationId,
  now: EpochMicroseconds,
): Promise<number> {
  const senders = new Map<string, OrganizationActor | null>();
  let ended = 0;
  for (const invitation of await invitations.findOpenInvitations(transaction, organizationId, now)) {
    const { id, role, sender, viaTokenId } = invitation;
    const subject = viaTokenId ?? sender.id;
    let present = senders.get(subject);
    if (present === undefined) {
      present = await readInvitationSender(transaction, invitation, now);
      senders.set(subject, present);
    }
    if (present !== null && mayInviteAs(present, role)) continue;
    ended += await invitations.cancelInvitations(transaction, organizationId, { id }, now);
    await deleteSharesOfInvitation(transaction, id);
  }
  return ended;
}
