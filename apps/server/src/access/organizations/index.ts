/** What pages use of organizations. */
export { readOrganization } from './read-organizations.ts';
export { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
