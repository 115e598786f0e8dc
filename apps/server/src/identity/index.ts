export { createIdentity, identityRoutes } from './identity.ts';
export type { Identity } from './identity.ts';
export { describeAccountsApi } from './openapi-accounts.ts';
export { identityWork } from './identity-work.ts';
export { createSmtpSender } from './mail/smtp-sender.ts';
export { authorizeByRole } from './organizations/invite-member.ts';
export { watchCredentials } from './credentials/credential-watch.ts';
export { createOwner, unlockAccount } from './accounts/create-owner.ts';
export { rotateSigningKeyNow } from './signing-keys/rotate-signing-key.ts';
