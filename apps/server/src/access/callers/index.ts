export type { OrganizationActor, Caller, Organization } from '../credentials/caller.ts';
export {
  callerOf,
  callerOfAccount,
  callerOfLink,
  callerOfPrincipal,
  isLimited,
} from '../credentials/caller.ts';
export { enterOrganization, notFoundOrHidden } from './enter-organization.ts';
export { requireActingFor, requirePermission, requirePermissionOn } from './require-permission.ts';
