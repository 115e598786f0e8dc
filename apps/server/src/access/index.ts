export { accessRoutes, createAccess } from './access.ts';
export type { Access } from './access.ts';
export { describePlatformApi, platformDescriptionRoute } from './openapi-platform.ts';
export { watchPermissions } from './authorities/authority-watch.ts';
export { auditKinds } from './audit-kinds.ts';
export { permissionEscalation } from './access-problems.ts';
export { changeOrganization } from './changes/change-organization.ts';
export { recordActorEvent } from './changes/record-actor-event.ts';
export { requireWithin } from './changes/require-within.ts';
/** Who calls, where, and may they? */
export * as callers from './callers/index.ts';
export * as permissions from './permissions/index.ts';
export * as groups from './groups/index.ts';
export * as members from './members/index.ts';
export * as organizations from './organizations/index.ts';
export * as platformTokens from './platform-tokens/index.ts';
export * as policies from './policies/index.ts';
export * as shares from './shares/index.ts';
