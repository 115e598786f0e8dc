import { emailChanges } from './accounts/change-email.ts';
import { apiKeys } from './api-keys/revoke-api-key.ts';
import type { CredentialKind } from './credentials/credential-kind.ts';
import { externalIdentities } from './openid/unlink-external-identity.ts';
import { invitations } from './organizations/send-invitation.ts';
import { passkeys } from './passkeys/add-passkey.ts';
import { secondFactor } from './second-factor/set-up-second-factor.ts';
import { sessions } from './sessions/revoke-session.ts';
import { exchangeCodes } from './sign-in/exchange-code.ts';
import { knownSources } from './sign-in/known-source.ts';
import { actionCodes } from './step-up/action-code.ts';

/** Every kind of credential that this domain makes. Sessions come last: they end with what the others have opened. */
export const credentialKinds: readonly CredentialKind[] = [
  actionCodes,
  emailChanges,
  exchangeCodes,
  externalIdentities,
  passkeys,
  secondFactor,
  apiKeys,
  invitations,
  knownSources,
  sessions,
];
