/** What pages use of organizations. */
export { deletePermissionsOf } from './empty-organization-store.ts';
export { readOrganization } from './read-organizations.ts';
export { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
