import type { ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';

export const unauthenticated: ProblemDefinition = {
  code: 'unauthenticated',
  kind: 'unauthenticated',
  title: 'Not authenticated',
  explanation:
    'The request has no valid credential. Send an access token (`Authorization: Bearer`), an API key (`X-API-Key`) or, to the platform API, a platform token (`Authorization: Api-Token`). If the token has expired, refresh it or sign in again.',
};
export const invalidCredentials: ProblemDefinition = {
  code: 'invalid_credentials',
  kind: 'unauthenticated',
  title: 'Wrong e-mail or password',
  explanation:
    'The e-mail address or the password is wrong. After five failed attempts, password sign-in with this address is locked for 15 minutes.',
};
export const passwordNotSet: ProblemDefinition = {
  code: 'password_not_set',
  kind: 'unauthenticated',
  title: 'No password',
  explanation:
    'The account has no password. Sign in through the browser with a passkey or sign-in provider, or set a password with a reset link.',
};
export const secondFactorRequired: ProblemDefinition = {
  code: 'second_factor_required',
  kind: 'unauthenticated',
  title: 'One-time code required',
  explanation:
    'E-mail address and password are correct, and the account uses two-factor authentication. Repeat the request with `one_time_code`: the 6-digit code of the authenticator app, or a recovery code.',
};
export const invalidOneTimeCode: ProblemDefinition = {
  code: 'invalid_one_time_code',
  kind: 'unauthenticated',
  title: 'Wrong one-time code',
  explanation:
    'The code is wrong, expired or already used. Wait for the next code, and check the clock of the device. After five wrong codes, one-time codes are locked for 15 minutes.',
};
export const invalidPasskey: ProblemDefinition = {
  code: 'invalid_passkey',
  kind: 'unauthenticated',
  title: 'Passkey not accepted',
  explanation:
    'The passkey is unknown or was removed, or the response expired, was already used or came from another page. Try again, or sign in with your password.',
};
export const invalidActionCode: ProblemDefinition = {
  code: 'invalid_action_code',
  kind: 'unauthenticated',
  title: 'Confirmation required',
  explanation:
    'Accounts without a password confirm this action with a passkey or with a code sent by e-mail. A code works once, for 10 minutes, for the session and action that requested it.',
};
export const accountLocked: ProblemDefinition = {
  code: 'account_locked',
  kind: 'unauthenticated',
  title: 'Temporarily locked',
  explanation:
    'Five sign-ins with this e-mail address failed within 15 minutes, or too many within 24 hours. `Retry-After` gives the seconds to wait. A password reset clears failed passwords, but not failed one-time codes. Devices and networks with a successful sign-in to the account in the last 30 days are counted separately.',
};
export const invalidRefreshToken: ProblemDefinition = {
  code: 'invalid_refresh_token',
  kind: 'unauthenticated',
  title: 'Invalid refresh token',
  explanation: 'The refresh token is unknown or expired, or its session was signed out. Sign in again.',
};
export const refreshTokenReused: ProblemDefinition = {
  code: 'refresh_token_reused',
  kind: 'unauthenticated',
  title: 'Refresh token already used',
  explanation:
    'A refresh token works once. Always store the latest one. The session was revoked, because the token may have been stolen, unless one client sent the same token twice at once. Sign in again.',
};
export const invalidExchangeCode: ProblemDefinition = {
  code: 'invalid_exchange_code',
  kind: 'unauthenticated',
  title: 'Invalid exchange code',
  explanation:
    'The code is unknown, already used or older than 60 seconds. Sign in through the browser again.',
};
export const jwtRequired: ProblemDefinition = {
  code: 'jwt_required',
  kind: 'forbidden',
  title: 'Access token required',
  explanation: 'API keys cannot manage API keys. Send an access token as `Authorization: Bearer`.',
};
export const invalidLink: ProblemDefinition = {
  code: 'invalid_link',
  kind: 'invalid',
  title: 'Invalid link',
  explanation: 'A link in an e-mail works once and for a limited time. Request a new one.',
};

/** Errors of password sign-in. */
export const signInProblems = [invalidCredentials, passwordNotSet, accountLocked] as const;

/** The same, if a one-time code may be required. */
export const codedSignInProblems = [...signInProblems, secondFactorRequired, invalidOneTimeCode] as const;

/** Errors of a guarded action without confirmation. */
export const proofProblems = [...codedSignInProblems, invalidActionCode, invalidPasskey] as const;

/** The same text for both causes, wherever it is raised. */
export function wrongCredentials(): ProblemError {
  return new ProblemError(invalidCredentials, 'Wrong e-mail or password.');
}
