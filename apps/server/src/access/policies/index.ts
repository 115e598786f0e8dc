/** What pages use of policies. */
export { changePolicy, createPolicy, removePolicy } from './change-policy.ts';
export { NewPolicySchema } from './policy-schema.ts';
export { listPolicies, readPolicies, readPolicy } from './read-policies.ts';
