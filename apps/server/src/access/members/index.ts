/** The exports that pages use. */
export { cancelInvitation } from './cancel-invitation.ts';
export { changeRole } from './change-role.ts';
export { admitGuest, inviteGuest, inviteMember, resendInvitation, rolesToInviteAs } from './invite-member.ts';
export { openInvitation } from './open-invitation.ts';
export { listInvitations } from './read-invitations.ts';
export type { ListedMember } from './read-members.ts';
export { listMembers, readMember, readMemberChoices, readMembers } from './read-members.ts';
export { removeMember } from './remove-member.ts';
