import { findPerson, hasPassword } from '../accounts/account-store.ts';
import type { AttemptOrigin } from '../attempts/known-source.ts';
import { releaseAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { CheckPasswordDeps } from '../passwords/check-password.ts';
import { withCheckedPassword } from '../passwords/check-password.ts';
import type { OneTimeCodeDeps } from '../second-factor/use-one-time-code.ts';
import { passSecondFactor } from '../second-factor/use-one-time-code.ts';
import type { GuardedRequest } from './action-code-store.ts';
import { requireActionCode } from './action-code.ts';
import type { GuardedAction } from './guarded-action.ts';
import { requirePasskeyProof } from './passkey-proof.ts';

export type ReauthenticateDeps = CheckPasswordDeps &
  OneTimeCodeDeps &
  RequestMailDeps & { readonly authUrl: string };

/** The fields of the form of a guarded action; missing fields are empty. */
export interface Proof {
  readonly password: string;
  /** A one-time code or a recovery code: beside the password, if the account has a second factor. */
  readonly code: string;
  /** Replaces the password for accounts without one. */
  readonly mailedCode: string;
  /** Replaces all others: a passkey is already two factors. */
  readonly passkey: { readonly challenge: string; readonly response: string };
}

export interface ProvenRequest extends Omit<GuardedRequest, 'action'> {
  readonly proof: Proof;
  readonly client: Client;
}

/**
 * For actions that a stolen session must not perform. The proof is part of the request. A mailed code and the response
 * of a passkey are valid once, in the session and for the action that they were requested for. Wrong passwords and
 * one-time codes are counted and lock like those of a sign-in. A recent sign-in proves nothing.
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  action: GuardedAction,
  { accountId, sessionId, proof, client }: ProvenRequest,
): Promise<{ readonly email: string }> {
  const person = await findPerson(deps.database, accountId);
  if (person === null) throw new Error('a session without an account');
  const { email } = person;
  const guarded: GuardedRequest = { accountId, sessionId, action };
  if (proof.passkey.response !== '') await requirePasskeyProof(deps, guarded, { ...proof.passkey, client });
  else if (await hasPassword(deps.database, accountId))
    await requirePassword(deps, email, proof, { client, signedIn: sessionId });
  else await requireActionCode(deps, guarded, proof.mailedCode, client);
  return { email };
}

/** Counted for the session, so that failed sign-ins of strangers do not stop the owner. */
async function requirePassword(
  deps: ReauthenticateDeps,
  email: string,
  { password, code }: Proof,
  origin: AttemptOrigin,
): Promise<void> {
  await withCheckedPassword(deps, { email, password, ...origin }, async (check) => {
    const given = { code: code === '' ? undefined : code, ...origin };
    const { attempt } = await passSecondFactor(deps, check, given);
    await releaseAttempt(deps.database, attempt);
  });
}
