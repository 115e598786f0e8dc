import type { ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';

export const unauthenticated: ProblemDefinition = {
  code: 'unauthenticated',
  kind: 'unauthenticated',
  title: 'Not signed in',
  explanation:
    'The request carries no credential, or one that is not valid any more. Send `Authorization: Bearer` with an access token, `X-API-Key` with an API key, or to the platform `Authorization: Api-Token` with a platform token; refresh or sign in again where the token has expired.',
};
export const invalidCredentials: ProblemDefinition = {
  code: 'invalid_credentials',
  kind: 'unauthenticated',
  title: 'Wrong e-mail address or password',
  explanation:
    'No account has this e-mail address and password. Five failures lock password sign-in with this address for 15 minutes.',
};
export const passwordNotSet: ProblemDefinition = {
  code: 'password_not_set',
  kind: 'unauthenticated',
  title: 'No password is set',
  explanation:
    'The account signs in with a passkey or through an external identity and has no password. Sign in in the browser, or set a password through a reset link.',
};
export const secondFactorRequired: ProblemDefinition = {
  code: 'second_factor_required',
  kind: 'unauthenticated',
  title: 'A one-time code is required',
  explanation:
    'E-mail address and password are right, and the account asks for a second factor. Send the same request with `one_time_code`: the six digits of the authenticator app, or a recovery code.',
};
export const invalidOneTimeCode: ProblemDefinition = {
  code: 'invalid_one_time_code',
  kind: 'unauthenticated',
  title: 'Wrong one-time code',
  explanation:
    'The code is wrong, belongs to another half minute, or was used before: each works once. Wait for the next one, and check that the clock of the device is right. Five wrong codes lock one-time codes for 15 minutes.',
};
export const invalidPasskey: ProblemDefinition = {
  code: 'invalid_passkey',
  kind: 'unauthenticated',
  title: 'The passkey was not accepted',
  explanation:
    'The device has no passkey for an account here, the passkey was removed, or its answer came too late, from another page, or twice. Try again, or sign in with the password.',
};
export const invalidActionCode: ProblemDefinition = {
  code: 'invalid_action_code',
  kind: 'unauthenticated',
  title: 'Not confirmed',
  explanation:
    'The account has no password, so a code from an e-mail or a passkey confirms this action. A code works once, for ten minutes, in the session and for the action that it was requested for.',
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
  title: 'Refresh token not valid',
  explanation: 'The refresh token is unknown, expired or its session has ended. Sign in again.',
};
export const refreshTokenReused: ProblemDefinition = {
  code: 'refresh_token_reused',
  kind: 'unauthenticated',
  title: 'Refresh token already used',
  explanation:
    'A refresh token works once; always store the latest. Unless this was the race of one client with itself, the session has been ended, because the token may have been stolen. Sign in again.',
};
export const invalidExchangeCode: ProblemDefinition = {
  code: 'invalid_exchange_code',
  kind: 'unauthenticated',
  title: 'Exchange code not valid',
  explanation:
    'The code is unknown, was used before, or is older than 60 seconds. Sign in in the browser again.',
};
export const jwtRequired: ProblemDefinition = {
  code: 'jwt_required',
  kind: 'forbidden',
  title: 'An access token is required',
  explanation: 'API keys cannot manage API keys. Send an access token as `Authorization: Bearer`.',
};
export const invalidLink: ProblemDefinition = {
  code: 'invalid_link',
  kind: 'invalid',
  title: 'The link is not valid any more',
  explanation: 'A link in a mail works once and for a limited time. Ask for a new one.',
};

/** What password sign-in answers. */
export const signInProblems = [invalidCredentials, passwordNotSet, accountLocked] as const;

/** The same where a one-time code may be asked for. */
export const codedSignInProblems = [...signInProblems, secondFactorRequired, invalidOneTimeCode] as const;

/** What a guarded action answers where its owner is not confirmed. */
export const proofProblems = [...codedSignInProblems, invalidActionCode, invalidPasskey] as const;

/** The same words whichever of the two it was, wherever it is found out. */
export function wrongCredentials(): ProblemError {
  return new ProblemError(invalidCredentials, 'no account has these two together');
}
