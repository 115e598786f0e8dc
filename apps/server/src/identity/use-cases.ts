/** What a person does with their account, for the pages; each takes the parts of `Identity` that it needs. */
export { listLiveApiKeys } from './api-keys/api-key-store.ts';
export { issueApiKey } from './api-keys/issue-api-key.ts';
export { revokeApiKey } from './api-keys/revoke-api-key.ts';
export { clientOf } from './client.ts';
export { signInProblems } from './identity-problems.ts';
export { beginOpenIdLink, beginOpenIdSignIn, openIdCallbackPath } from './openid/begin-openid.ts';
export { listExternalIdentities } from './openid/external-identity-store.ts';
export { finishOpenId } from './openid/finish-openid.ts';
export { unlinkExternalIdentity } from './openid/unlink-external-identity.ts';
export { openBrowserSession, readBrowserSession } from './sessions/browser-session.ts';
export { revokeOwnSession } from './sessions/revoke-session.ts';
export { listSessions } from './sessions/session-store.ts';
export { checkPassword } from './sign-in/check-password.ts';
export { createExchangeCode } from './sign-in/exchange-code.ts';
