/** The use cases of an account, for the pages; each takes the parts of `Identity` that it needs. */
export { hasPassword } from './accounts/account-store.ts';
export { deletionGraceDays } from './accounts/account.ts';
export { confirmEmailChange, readEmailChangeLink, requestEmailChange } from './email-change/change-email.ts';
export { listEmailChanges } from './email-change/email-change-store.ts';
export { requestExport, useExportTicket } from './export/export-ticket.ts';
export { renameAccount } from './accounts/rename-account.ts';
export { signUpByInvitation } from './registration/sign-up-by-invitation.ts';
export { confirmSignUp, readSignUpLink, signUp } from './registration/sign-up.ts';
export { readUndoLink, undoEmailChange } from './email-change/undo-email-change.ts';
export { listLiveApiKeys } from './api-keys/api-key-store.ts';
export { issueProvenApiKey } from './api-keys/issue-api-key.ts';
export { revokeApiKey } from './api-keys/revoke-api-key.ts';
export { listAffectedOrganizations } from './deletion/account-deletion-store.ts';
export { requestAccountDeletion, sortAffectedOrganizations } from './deletion/request-account-deletion.ts';
export {
  codedSignInProblems,
  invalidCredentials,
  invalidLink,
  invalidPasskey,
  proofProblems,
  signInProblems,
} from './identity-problems.ts';
export { beginOpenIdLink, beginOpenIdSignIn, openIdCallbackPath } from './openid/begin-openid.ts';
export { listExternalIdentities } from './openid/external-identity-store.ts';
export { finishOpenId } from './openid/finish-openid.ts';
export { unlinkExternalIdentity } from './openid/unlink-external-identity.ts';
export { endEverything, endOwnCredential, listOwnCredentials } from './authentication/own-credentials.ts';
export { acceptInvitation, readInvitationLink } from './invitations/accept-invitation.ts';
export { addPasskey, beginPasskey, removePasskey } from './sign-in-methods/add-passkey.ts';
export { passkeyChallengeMs } from './passkeys/passkey-challenge.ts';
export { listPasskeys } from './passkeys/passkey-store.ts';
export { beginPasskeySignIn, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts';
export { passwordCharsMin } from './passwords/password-rule.ts';
export { switchOffPassword } from './sign-in-methods/switch-off-password.ts';
export { changePicture, removePicture } from './pictures/change-picture.ts';
export { pictureBytesMax, pictureMediaTypes, pictureSideMax } from './pictures/picture-format.ts';
export { findPictureId, findPictureOf, findPictureSeenBy } from './pictures/picture-store.ts';
export {
  changePassword,
  isResetLinkGood,
  requestPasswordReset,
  resetPassword,
} from './recovery/reset-password.ts';
export {
  beginSecondFactor,
  readSecondFactorSetUp,
  renewRecoveryCodes,
  setCodeAtProvider,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor/set-up-second-factor.ts';
export {
  requiresCodeAtProvider,
  countRecoveryCodes,
  hasSecondFactor,
} from './second-factor/second-factor-store.ts';
export { openBrowserSession, readBrowserSession } from './sessions/browser-session.ts';
export { openExternalSession } from './sign-in/open-external-session.ts';
export { revokeOwnSession } from './sessions/revoke-session.ts';
export { listSessions } from './sessions/session-store.ts';
export { createExchangeCode } from './sign-in/exchange-code.ts';
export { knownSourceMs } from './attempts/known-source.ts';
export { pendingSignInMs } from './sign-in/pending-sign-in.ts';
export { finishBrowserSignIn, signInBrowser } from './sign-in/sign-in-browser.ts';
export { requestActionCode } from './step-up/action-code.ts';
export { findActionCode } from './step-up/action-code-store.ts';
export { guardedActionNames, guardedActions } from './step-up/guarded-action.ts';
export { beginPasskeyProof } from './step-up/passkey-proof.ts';
export type { ProvenRequest, ReauthenticateDeps } from './step-up/reauthenticate.ts';
export { reauthenticate } from './step-up/reauthenticate.ts';
