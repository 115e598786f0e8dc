/** The exports that pages use. */
export { changePolicy, createPolicy } from './change-policy.ts';
export { NewPolicySchema } from './policy-schema.ts';
export { listPolicies, readPolicies, readPolicy, removePolicy } from './policy-resource.ts';
