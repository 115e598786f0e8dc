export type { Actor, Caller, Organization } from './caller.ts';
export { callerOf, callerOfAccount } from './caller.ts';
export { enterOrganization, unknownThing } from './enter-organization.ts';
export { requireActingFor, requirePermission, requirePermissionOn } from './require-permission.ts';
