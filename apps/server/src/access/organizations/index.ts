/** What pages use of organizations. */
export { deletePermissionsOf } from './delete-permissions-store.ts';
export { readOrganization } from './read-organizations.ts';
export { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
