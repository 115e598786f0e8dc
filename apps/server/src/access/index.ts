export { accessRoutes, createAccess } from './access.ts';
export type { Access } from './access.ts';
export { describePlatformApi, platformDescriptionRoute } from './openapi-platform.ts';
export { watchPermissions } from './authorities/authority-watch.ts';
export { createAuthorize } from './members/authorize-invitation.ts';
/** Who calls, where, and may they? */
export * as callers from './callers/index.ts';
export * as permissions from './permissions/index.ts';
export * as groups from './groups/index.ts';
export { listMembers } from './members/read-members.ts';
export * as platformTokens from './platform-tokens/index.ts';
export * as policies from './policies/index.ts';
