import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Identity } from '../../identity/index.ts';
import { invitations, organizations } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { mayInviteAs, readInvitationSender } from '../changes/invitation-sender.ts';
import { acceptShares } from '../shares/accept-shares.ts';

export const accountJoined = defineAuditKind(
  'account_joined_organization',
  (word) => `You joined an organization as ${word('role')}.`,
);

/** A grant like every other: under the organization's lock, checked against the current authority of its sender. */
export const openInvitation: Identity['openInvitation'] = async (transaction, { ids }, request) => {
  const { invitationId, client, now } = request;
  const named = await invitations.findOpenInvitation(transaction, invitationId, now);
  if (named === null) return null;
  const { organizationId, role } = named;
  await organizations.lockOrganization(transaction, organizationId);
  // Another request may have accepted or cancelled it while this one waited for the lock.
  const invitation = await invitations.findOpenInvitation(transaction, invitationId, now);
  if (invitation === null) return null;
  const sender = await readInvitationSender(transaction, invitation, now);
  if (sender === null || !mayInviteAs(sender, role)) return null;
  return {
    organizationId,
    role,
    admit: async (accountId) => {
      const membership = { accountId, organizationId, role, createdAt: now };
      if (!(await organizations.insertMemberships(transaction, membership))) return false;
      await acceptShares(transaction, invitation, accountId, now);
      await invitations.markInvitationAccepted(transaction, invitation.id, accountId, now);
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
