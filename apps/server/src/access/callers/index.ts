export type { OrganizationActor, Caller, Organization } from '../credentials/caller.ts';
export {
  callerOf,
  callerOfAccount,
  callerOfLink,
  callerOfPrincipal,
  callerOfSchedule,
  isLimited,
} from '../credentials/caller.ts';
export { authorizeOrganization, notFoundOrHidden } from './authorize-organization.ts';
export { requireActingFor, requirePermission, requirePermissionOn } from './require-permission.ts';
