export type { Access } from './access.ts';
export { organizationSecondFactorRequired } from './access-problems.ts';
export { auditKinds } from './audit-kinds.ts';
export * as auditEvents from './audit-events/index.ts';
/** Identifies callers and checks their permissions. */
export * as callers from './callers/index.ts';
export * as capabilities from './capabilities/index.ts';
export * as changes from './changes/index.ts';
/** The actions of this domain, and the built-in roles. */
export * as corePermissions from './core-permissions/index.ts';
export * as groups from './groups/index.ts';
export * as members from './members/index.ts';
export * as organizations from './organizations/index.ts';
export * as permissions from './permissions/index.ts';
export * as platformTokens from './platform-tokens/index.ts';
export * as policies from './policies/index.ts';
export * as shares from './shares/index.ts';
