import { apiKeys } from './api-keys/revoke-api-key.ts';
import { knownSources } from './attempts/known-source.ts';
import type { CredentialKind } from './credentials/credential-kind.ts';
import { emailChanges } from './email-change/change-email.ts';
import { invitations } from './invitations/send-invitation.ts';
import { externalIdentities } from './openid/unlink-external-identity.ts';
import { secondFactor } from './second-factor/set-up-second-factor.ts';
import { sessions } from './sessions/revoke-session.ts';
import { passkeys } from './sign-in-methods/add-passkey.ts';
import { exchangeCodes } from './sign-in/exchange-code.ts';
import { actionCodes } from './step-up/action-code.ts';

/** All credential kinds of this domain. Sessions come last: they end with what the other kinds opened. */
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
