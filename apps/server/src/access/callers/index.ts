export type { OrganizationActor, Caller, Organization } from './caller.ts';
export { callerOf, callerOfAccount, callerOfLink, callerOfPrincipal, isLimited } from './caller.ts';
export { enterOrganization, notFoundOrHidden } from './enter-organization.ts';
export { requireActingFor, requirePermission, requirePermissionOn } from './require-permission.ts';
