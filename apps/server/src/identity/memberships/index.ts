export { leaveOrganization } from './leave-organization.ts';
export type { Member, OwnOrganization, Standing } from './membership-store.ts';
export {
  countOwnedOrganizations,
  findMembers,
  findStanding,
  isLastOwner,
  listMembers,
  listOwnOrganizations,
  listRemainingOwners,
  markMemberSeen,
  updateRole,
} from './membership-store.ts';
