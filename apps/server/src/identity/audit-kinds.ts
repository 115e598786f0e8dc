import type { AuditKind } from '../audit/index.ts';
import { accountRenamed } from './accounts/rename-account.ts';
import { apiKeyCreated } from './api-keys/issue-api-key.ts';
import { apiKeyRevoked } from './api-keys/revoke-api-key.ts';
import { deletionCancelled } from './deletion/cancel-account-deletion.ts';
import { accountDeleted } from './deletion/delete-due-accounts.ts';
import { organizationDeleted } from './deletion/delete-due-organizations.ts';
import { deletionRequested } from './deletion/request-account-deletion.ts';
import { emailChangeRequested, emailChanged } from './email-change/change-email.ts';
import { emailRestored } from './email-change/undo-email-change.ts';
import { accountExported } from './export/export-ticket.ts';
import { externalIdentityRefused } from './openid/finish-openid.ts';
import { externalIdentityLinked } from './openid/register-openid-user.ts';
import { externalIdentityUnlinked } from './openid/unlink-external-identity.ts';
import { passkeyRefused } from './passkeys/passkey-answer.ts';
import { signInFailed, signInLocked } from './passwords/check-password.ts';
import { pictureChanged, pictureRemoved } from './pictures/change-picture.ts';
import { passwordChanged, passwordResetRequested } from './recovery/reset-password.ts';
import { accountCreated } from './registration/create-account.ts';
import { accountUnlocked } from './registration/create-owner.ts';
import { signUpRequested } from './registration/sign-up.ts';
import {
  codeAtProviderTurnedOff,
  codeAtProviderTurnedOn,
  recoveryCodesRenewed,
  secondFactorTurnedOff,
  secondFactorTurnedOffByOperator,
  secondFactorTurnedOn,
} from './second-factor/set-up-second-factor.ts';
import {
  oneTimeCodeRequested,
  oneTimeCodeFailed,
  recoveryCodeUsed,
} from './second-factor/use-one-time-code.ts';
import { sessionOpened } from './sessions/open-session.ts';
import { reuseNoticed } from './sessions/refresh-session.ts';
import { sessionRevoked } from './sessions/revoke-session.ts';
import { passkeyAdded, passkeyRemoved } from './sign-in-methods/add-passkey.ts';
import { passwordSwitchedOff } from './sign-in-methods/switch-off-password.ts';
import { exchangeCodeCreated, exchangeCodeReused } from './sign-in/exchange-code.ts';
import { signingKeyRotated } from './signing-keys/rotate-signing-key.ts';
import { actionCodeFailed } from './step-up/action-code.ts';

/** Every kind of event that this domain raises. */
export const auditKinds: readonly AuditKind[] = [
  accountCreated,
  codeAtProviderTurnedOff,
  codeAtProviderTurnedOn,
  actionCodeFailed,
  accountDeleted,
  accountExported,
  accountRenamed,
  accountUnlocked,
  apiKeyCreated,
  apiKeyRevoked,
  deletionCancelled,
  deletionRequested,
  emailChangeRequested,
  emailChanged,
  emailRestored,
  exchangeCodeCreated,
  exchangeCodeReused,
  externalIdentityLinked,
  externalIdentityRefused,
  externalIdentityUnlinked,
  oneTimeCodeRequested,
  oneTimeCodeFailed,
  organizationDeleted,
  passkeyAdded,
  passkeyRefused,
  passkeyRemoved,
  passwordChanged,
  passwordResetRequested,
  passwordSwitchedOff,
  pictureChanged,
  pictureRemoved,
  recoveryCodeUsed,
  recoveryCodesRenewed,
  reuseNoticed,
  secondFactorTurnedOff,
  secondFactorTurnedOffByOperator,
  secondFactorTurnedOn,
  sessionOpened,
  sessionRevoked,
  signInFailed,
  signInLocked,
  signUpRequested,
  signingKeyRotated,
];
