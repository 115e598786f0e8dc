import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Identity } from '../../identity/index.ts';
import { organizations } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import type { Caller } from '../callers/caller.ts';
import { callerOfAccount } from '../callers/caller.ts';
import { readPresentActor } from '../changes/change-organization.ts';
import type { PlatformTokenId } from '../platform-tokens/platform-token.ts';
import { acceptShares } from '../shares/accept-shares.ts';
import { mayInviteAs } from './invite-member.ts';

export const accountJoined = defineAuditKind(
  'account_joined_organization',
  (word) => `You joined an organization as ${word('role')}.`,
);

/** A binding like every other: under the organization's lock, held against what its maker may do at that moment. */
export const openInvitation: Identity['openInvitation'] = async (transaction, { ids }, request) => {
  const { invitationId, client, now } = request;
  const named = await organizations.findOpenInvitation(transaction, invitationId, now);
  if (named === null) return null;
  const { organizationId, role } = named;
  await organizations.lockOrganization(transaction, organizationId);
  // Another may have accepted or cancelled it while this one waited for the lock.
  const invitation = await organizations.findOpenInvitation(transaction, invitationId, now);
  if (invitation === null) return null;
  const sender = await readPresentActor(transaction, senderOf(invitation), organizationId, now);
  if (sender === null || !mayInviteAs(sender, role)) return null;
  return {
    organizationId,
    role,
    admit: async (accountId) => {
      const membership = { accountId, organizationId, role, createdAt: now };
      if (!(await organizations.insertMemberships(transaction, membership))) return false;
      await acceptShares(transaction, invitation, accountId, now);
      await organizations.markInvitationAccepted(transaction, invitation.id, accountId, now);
      const version = await raisePermissionVersion(transaction, organizationId);
      await recordAuditEvent(transaction, ids, {
        kind: accountJoined,
        at: now,
        accountId,
        organizationId,
        client,
        detail: { invitationId, role, senderId: invitation.sender.id, version: Number(version) },
      });
      return true;
    },
  };
};

/** Where a token sent it, the token as it is now is asked; its mode of then does not count. */
function senderOf({ sender, viaTokenId, organizationId }: organizations.Invitation): Caller {
  if (viaTokenId === null) return callerOfAccount(sender, '');
  const tokenId = viaTokenId as PlatformTokenId;
  return {
    accountId: sender.id,
    username: sender.username,
    credential: { kind: 'api_token', tokenId, organizationId, mode: 'owner' },
  };
}
