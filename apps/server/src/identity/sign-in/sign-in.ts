import { ProblemError } from '../../foundation/problem.ts';
import { findAccount } from '../accounts/account-store.ts';
import { presentUser } from '../accounts/user-profile.ts';
import { invalidCredentials } from '../identity-problems.ts';
import type { SessionGrant } from '../sessions/open-session.ts';
import { openVerifiedSession } from '../sessions/open-session.ts';
import { accessTokenSeconds } from '../sessions/session.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';
import type { CheckPasswordDeps, PasswordTry } from './check-password.ts';
import { throughPasswordDoor } from './check-password.ts';
import type { TokenResponse } from './token-schema.ts';

export interface PresentTokensDeps extends Pick<CheckPasswordDeps, 'database'> {
  readonly accessTokens: AccessTokens;
  /** Where pictures of accounts lie. */
  readonly baseUrl: string;
}

/**
 * E-mail address and password for a new session. A password that was changed between its check and the session is
 * checked once more, against what is stored now.
 */
export async function signIn(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<SessionGrant> {
  const { client } = attempt;
  const enter = (): Promise<SessionGrant | null> =>
    throughPasswordDoor(deps, attempt, (verified) => openVerifiedSession(deps, { verified, client }));
  const grant = (await enter()) ?? (await enter());
  if (grant === null)
    throw new ProblemError(invalidCredentials, 'the e-mail address or the password is wrong');
  return grant;
}

export async function presentTokens(deps: PresentTokensDeps, grant: SessionGrant): Promise<TokenResponse> {
  const account = grant.account ?? (await findAccount(deps.database, grant.accountId));
  if (account === null) throw new Error('a session without an account');
  return {
    access_token: await deps.accessTokens.issue(account, grant.sessionId),
    refresh_token: grant.refreshToken,
    expires_in: accessTokenSeconds,
    user: presentUser(account, deps.baseUrl),
  };
}
