import { findAccount } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { presentUser } from '../accounts/user-profile.ts';
import type { SessionGrant } from '../sessions/open-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { accessTokenSeconds } from '../sessions/session.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';
import type { CheckPasswordDeps, PasswordTry } from './check-password.ts';
import { checkPassword } from './check-password.ts';
import type { TokenResponse } from './token-schema.ts';

export interface PresentTokensDeps extends Pick<CheckPasswordDeps, 'database'> {
  readonly accessTokens: AccessTokens;
  /** Where pictures of accounts lie. */
  readonly baseUrl: string;
}

/** E-mail address and password for a new session. */
export async function signIn(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<SessionGrant> {
  const accountId = await checkPassword(deps, attempt);
  const { client } = attempt;
  return deps.database
    .transaction()
    .execute((transaction) => openSession(transaction, deps, { accountId, client, method: 'password' }));
}

export async function presentTokens(deps: PresentTokensDeps, grant: SessionGrant): Promise<TokenResponse> {
  const account: Account | null = await findAccount(deps.database, grant.accountId);
  if (account === null) throw new Error('a session without an account');
  return {
    access_token: await deps.accessTokens.issue(account, grant.sessionId),
    refresh_token: grant.refreshToken,
    expires_in: accessTokenSeconds,
    user: presentUser(account, deps.baseUrl),
  };
}
