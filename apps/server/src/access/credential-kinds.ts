import type { credentials } from '../identity/index.ts';
import { platformTokenKind } from './platform-tokens/end-tokens.ts';
import { shareKind } from './shares/end-shares.ts';

/** Every kind of credential that this domain makes. */
export const credentialKinds: readonly credentials.CredentialKind[] = [platformTokenKind, shareKind];
