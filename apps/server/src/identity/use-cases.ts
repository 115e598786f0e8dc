/** What a person does with their account, for the pages; each takes the parts of `Identity` that it needs. */
export { hasPassword } from './accounts/account-store.ts';
export { confirmSignUp, readSignUpLink, signUp } from './accounts/sign-up.ts';
export { listLiveApiKeys } from './api-keys/api-key-store.ts';
export { issueApiKey } from './api-keys/issue-api-key.ts';
export { revokeApiKey } from './api-keys/revoke-api-key.ts';
export type { AuditKind } from './audit/audit-event.ts';
export { readAuditLog } from './audit/audit-store.ts';
export type { AuditRecord } from './audit/audit-store.ts';
export { invalidCredentials, invalidLink, signInProblems } from './identity-problems.ts';
export { beginOpenIdLink, beginOpenIdSignIn, openIdCallbackPath } from './openid/begin-openid.ts';
export { listExternalIdentities } from './openid/external-identity-store.ts';
export { finishOpenId } from './openid/finish-openid.ts';
export { unlinkExternalIdentity } from './openid/unlink-external-identity.ts';
export { acceptInvitation, readInvitationLink } from './organizations/accept-invitation.ts';
export { inviteMember, rolesToInviteAs } from './organizations/invite-member.ts';
export { listFirstMembers } from './organizations/membership-store.ts';
export { findOrganizationName } from './organizations/organization-store.ts';
export { passwordCharsMin } from './passwords/password-rule.ts';
export {
  changePassword,
  isResetLinkGood,
  requestPasswordReset,
  resetPassword,
} from './passwords/reset-password.ts';
export { openBrowserSession, readBrowserSession } from './sessions/browser-session.ts';
export { revokeOwnSession } from './sessions/revoke-session.ts';
export { listSessions } from './sessions/session-store.ts';
export { createExchangeCode } from './sign-in/exchange-code.ts';
export { signInBrowser } from './sign-in/sign-in.ts';
