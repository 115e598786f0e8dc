/** For wiring: how processes build and serve access, and follow its changes. */
export { accessRoutes, createAccess } from './access.ts';
export { watchPermissions } from './authorities/authority-watch.ts';
export { credentialKinds } from './credential-kinds.ts';
export { describePlatformApi, platformDescriptionRoute } from './openapi-platform.ts';
export { expireAllPlatformTokens } from './credentials/platform-token-store.ts';
export { removeMemberAgain, revokingEvents, suspendOrganizationAgain } from './restored-organizations.ts';
