import type { credentials } from '../identity/index.ts';
import { platformTokenKind } from './platform-tokens/end-tokens.ts';
import { shareKind } from './shares/end-shares.ts';

/** All credential kinds of this domain. */
export const credentialKinds: readonly credentials.CredentialKind[] = [platformTokenKind, shareKind];
