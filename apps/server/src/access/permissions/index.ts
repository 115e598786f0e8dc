export type { Action } from './action.ts';
export { defineAction } from './action.ts';
export { apiTokenFieldAction, apiTokenFields } from './api-token-privilege.ts';
export { allows, compileAuthority } from './authority.ts';
export type { Authority } from './authority.ts';
export type { Capability, PermissionPreset, PresetTarget } from './capabilities.ts';
export {
  capabilitiesOf,
  coreCapabilities,
  corePresets,
  policyOfPresets,
  reportCapabilities,
} from './capabilities.ts';
export {
  apiTokenActions,
  groupActions,
  memberActions,
  organizationActions,
  policyActions,
  readAuditEvents,
} from './core-actions.ts';
export { coveredBelow, coveredNames } from './covered-names.ts';
export type { CoveredNames } from './covered-names.ts';
export { escalationOf } from './escalation.ts';
export type { Escalation } from './escalation.ts';
export { intersectAuthorities } from './intersection.ts';
export { actionChoices, kindOfThing, pickedOfPolicy, policyOfPicked } from './picked-permissions.ts';
export type { ActionChoice, PickedPermissions } from './picked-permissions.ts';
export { parsePolicy, policyFaults } from './policy.ts';
export type { Policy, WrittenPolicy } from './policy.ts';
export { resourceOf } from './resource.ts';
export type { Resource } from './resource.ts';
export { policiesOfRole, roles } from './role-policies.ts';
