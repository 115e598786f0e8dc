export type { Client } from '../client.ts';
export { clientOf } from '../client.ts';
export type { CredentialKind, Ending } from './credential-kind.ts';
export type { Authenticator } from './authenticate.ts';
export type { CredentialLimits } from './credential-surface.ts';
export { createCredentialSurface } from './credential-surface.ts';
export type { ApiPrincipal } from './principal.ts';
export { principalOf, principalRole } from './principal.ts';
export { announceCredential } from '../mail/announce-credential.ts';
