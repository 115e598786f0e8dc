/** The exports that `access` uses for organizations. */
export {
  createOwnedOrganization,
  requireOrganizationKey,
  requireOrganizationName,
} from './create-organization.ts';
export { listRestorableOrganizations } from './organization-deletion-store.ts';
export {
  findOrganization,
  insertMemberships,
  lockOrganization,
  reserveOrganizationKey,
  setCurrentOrganization,
  shareOrganization,
  updateOrganizationName,
} from './organization-store.ts';
export * as secondFactors from './second-factor-requirement-store.ts';
export { restoreOrganization, suspendOrganization } from './suspend-organization.ts';
