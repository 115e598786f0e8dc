/** What pages use of organizations. */
export { countContents, deletePermissionsOf } from './delete-permissions-store.ts';
export {
  cancelOrganizationDeletion,
  requestOrganizationDeletion,
  requireOwner,
} from './delete-organization.ts';
export { readOrganization } from './read-organizations.ts';
export { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
