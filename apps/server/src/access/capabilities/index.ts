export type { AllowedCapability, Capability, PermissionPreset, PresetTarget } from './capabilities.ts';
export {
  capabilitiesOf,
  coreCapabilities,
  corePresets,
  policyOfPresets,
  reportCapabilities,
} from './capabilities.ts';
export { actionChoices, kindOfThing, pickedOfPolicy, policyOfPicked } from './picked-permissions.ts';
export type { ActionChoice, PickedPermissions } from './picked-permissions.ts';
