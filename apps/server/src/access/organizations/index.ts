/** The exports that pages use. */
export { countContents, deletePermissionsOf } from './delete-permissions-store.ts';
export { cancelOrganizationDeletion, requestOrganizationDeletion } from './delete-organization.ts';
export { requireOwner } from './require-owner.ts';
export { changeSecondFactorRequirement, readSecondFactorRequirement } from './second-factor-requirement.ts';
export { readOrganization } from './read-organizations.ts';
export { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
