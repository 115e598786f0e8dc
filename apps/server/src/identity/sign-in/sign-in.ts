import { findAccount } from '../accounts/account-store.ts';
import { presentUser } from '../accounts/user-profile.ts';
import type { Client } from '../client.ts';
import { wrongCredentials } from '../identity-problems.ts';
import type { BrowserSession } from '../sessions/browser-session.ts';
import { openVerifiedBrowserSession } from '../sessions/browser-session.ts';
import type { SessionGrant } from '../sessions/open-session.ts';
import { openVerifiedSession } from '../sessions/open-session.ts';
import { accessTokenSeconds } from '../sessions/session.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';
import type { CheckPasswordDeps, PasswordTry } from './check-password.ts';
import { throughPasswordDoor } from './check-password.ts';
import type { TokenResponse } from './token-schema.ts';

export interface PresentTokensDeps extends Pick<CheckPasswordDeps, 'database'> {
  readonly accessTokens: AccessTokens;
  /** Where pictures of accounts lie. */
  readonly baseUrl: string;
}

/** E-mail address and password for a new session. */
export function signIn(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<SessionGrant> {
  return enterTwice(deps, attempt, openVerifiedSession);
}

/** The same for a browser. */
export function signInBrowser(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<BrowserSession> {
  return enterTwice(deps, attempt, openVerifiedBrowserSession);
}

/** A password that was changed between its check and the session is checked once more, against what is stored now. */
async function enterTwice<Opened>(
  deps: CheckPasswordDeps,
  attempt: PasswordTry,
  open: (
    deps: CheckPasswordDeps,
    request: { readonly verified: VerifiedPassword; readonly client: Client },
  ) => Promise<Opened | null>,
): Promise<Opened> {
  const { client } = attempt;
  const enter = (): Promise<Opened | null> =>
    throughPasswordDoor(deps, attempt, (verified) => open(deps, { verified, client }));
  const opened = (await enter()) ?? (await enter());
  if (opened === null) throw wrongCredentials();
  return opened;
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
