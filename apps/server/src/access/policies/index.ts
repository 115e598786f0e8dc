/** What pages use of policies. */
export { changePolicy, createPolicy } from './change-policy.ts';
export { NewPolicySchema } from './policy-schema.ts';
export { listPolicies, readPolicies, readPolicy, removePolicy } from './policy-resource.ts';
