import { findAccount } from '../accounts/account-store.ts';
import { presentUser } from '../accounts/user-profile.ts';
import { isFromNewPlace } from '../attempts/announce-sign-in.ts';
import { accessTokenSeconds } from '../credentials/session.ts';
import { wrongCredentials } from '../identity-problems.ts';
import { announceCredential } from '../mail/announce-credential.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { CheckPasswordDeps, PasswordCheck, PasswordAttempt } from '../passwords/check-password.ts';
import { withCheckedPassword } from '../passwords/check-password.ts';
import type { OneTimeCodeDeps } from '../second-factor/use-one-time-code.ts';
import { passSecondFactor } from '../second-factor/use-one-time-code.ts';
import type { SessionGrant, SessionListenerDeps } from '../sessions/open-session.ts';
import { openVerifiedSession } from '../sessions/open-session.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';
import type { TokenResponse } from './token-schema.ts';

export type SignInDeps = CheckPasswordDeps & OneTimeCodeDeps & RequestMailDeps & SessionListenerDeps;

export interface PresentTokensDeps extends Pick<CheckPasswordDeps, 'database'> {
  readonly accessTokens: AccessTokens;
  /** The base URL of account pictures. */
  readonly baseUrl: string;
}

export interface SignInAttempt extends PasswordAttempt {
  readonly oneTimeCode?: string | undefined;
}

/** Opens a session for e-mail address, password and, if the account requires one, a one-time code. */
export function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<SessionGrant> {
  const { client, oneTimeCode } = attempt;
  return withUnchangedPassword(deps, attempt, async (check) => {
    const verified = await passSecondFactor(deps, check, { code: oneTimeCode, client });
    const opened = await openSessionFrom(deps, { verified, client });
    if (opened !== null) await deps.sessionListener.opened(deps, { accountId: verified.accountId, client });
    return opened;
  });
}

/** One statement if the source is known; otherwise one transaction with the e-mail to the owner. */
async function openSessionFrom(
  deps: CheckPasswordDeps & RequestMailDeps,
  session: Parameters<typeof openVerifiedSession>[1],
): Promise<SessionGrant | null> {
  const { verified, client } = session;
  const { accountId } = verified;
  if (!(await isFromNewPlace(deps.database, deps, { accountId, client })))
    return openVerifiedSession(deps, session);
  return deps.database.transaction().execute(async (transaction) => {
    const opened = await openVerifiedSession({ ...deps, database: transaction }, session);
    if (opened !== null) await announceCredential(transaction, deps, accountId, 'signed_in_from_new_place');
    return opened;
  });
}

/** Checks a password again, against the stored hash, if it was changed between its check and the session. */
export async function withUnchangedPassword<Opened>(
  deps: CheckPasswordDeps,
  attempt: PasswordAttempt,
  open: (check: PasswordCheck) => Promise<Opened | null>,
): Promise<Opened> {
  const enter = (): Promise<Opened | null> => withCheckedPassword(deps, attempt, open);
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
