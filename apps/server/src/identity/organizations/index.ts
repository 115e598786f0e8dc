/** The exports that `access` uses for the members of an organization. */
export type { InvitationLimitDeps } from './send-invitation.ts';
export { admitInvitation, sendInvitation } from './send-invitation.ts';
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
export { createOwnedOrganization } from './create-organization.ts';
export { leaveOrganization } from './leave-organization.ts';
export * from './membership-store.ts';
export {
  findOrganization,
  insertMemberships,
  setCurrentOrganization,
  updateOrganizationName,
} from './organization-store.ts';
export {
  countMembersWithoutSecondFactor,
  findSecondFactorRequirement,
  selectWithSecondFactor,
  updateSecondFactorRequirement,
} from './second-factor-requirement-store.ts';
export { restoreOrganization, suspendOrganization } from './suspend-organization.ts';
export { listRestorableOrganizations } from './organization-deletion-store.ts';
export { lockAccount } from '../accounts/account-store.ts';
export { requireOrganizationKey, requireOrganizationName } from './create-organization.ts';
