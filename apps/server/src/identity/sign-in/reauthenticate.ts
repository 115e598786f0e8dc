import { findPerson, hasPassword } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { RequestMailDeps } from '../mail/mail-workflow.ts';
import type { OneTimeCodeDeps } from '../second-factor/use-one-time-code.ts';
import type { CheckPasswordDeps } from './check-password.ts';
import { withCheckedPassword } from './check-password.ts';
import { clearPasswordAttempts } from './password-attempt-store.ts';
import { passSecondFactor } from './sign-in.ts';

export type ReauthenticateDeps = CheckPasswordDeps & OneTimeCodeDeps & RequestMailDeps;

/**
 * For what a stolen session must not do: the password, and a code where there is a second factor, counted like a sign-in.
 * An account without a password has its session alone.
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  request: {
    readonly accountId: AccountId;
    readonly password: string;
    readonly code: string;
    readonly client: Client;
  },
): Promise<{ readonly email: string }> {
  const { accountId, password, code, client } = request;
  const person = await findPerson(deps.database, accountId);
  if (person === null) throw new Error('a session without an account');
  const { email } = person;
  if (!(await hasPassword(deps.database, accountId))) return { email };
  await withCheckedPassword(deps, { email, password, client }, async (check) => {
    const verified = await passSecondFactor(deps, check, { code: code === '' ? undefined : code, client });
    await clearPasswordAttempts(deps.database, verified.emailHash);
  });
  return { email };
}
