export type { Invitation, InvitationId } from './invitation-store.ts';
export {
  cancelInvitations,
  countOpenInvitations,
  findInvitationTo,
  findOpenInvitation,
  findOpenInvitations,
  listOpenInvitations,
  markInvitationAccepted,
} from './invitation-store.ts';
export type { InvitationLimitDeps } from './send-invitation.ts';
export { admitInvitation, sendInvitation } from './send-invitation.ts';
