/** The exports that pages use. */
export { changePolicy, createPolicy } from './change-policy.ts';
export { listPolicies, readPolicies, readPolicy, removePolicy } from './policy-resource.ts';
