import type { AuditKind } from '../../audit/index.ts';
import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import { emailHash, requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { renewPasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { accountLocked, wrongCredentials, passwordNotSet } from '../identity-problems.ts';
import type { HashingPlace, PasswordHasher } from '../passwords/password-hasher.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import type { AttemptedAccount } from './password-attempt-store.ts';
import { clearPasswordAttempts, reservePasswordAttempt } from './password-attempt-store.ts';

export const signInFailed = defineAuditKind('sign_in_failed', 'A sign-in failed: the password was wrong.');
export const signInLocked = defineAuditKind(
  'sign_in_locked',
  'A sign-in was refused: too many had failed before.',
);

export interface CheckPasswordDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hasher: PasswordHasher;
}

export interface PasswordTry {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** A password that is right, and whether it is enough. */
export type PasswordCheck =
  | { readonly secondFactorSecret: null; readonly verified: VerifiedPassword }
  | { readonly secondFactorSecret: Buffer; readonly passwordOnly: VerifiedPassword };

/**
 * For callers that only need to know that it is right. Clears the failed attempts, but not where there is a second
 * factor: whoever knows the password alone would get five more guesses at the code each time.
 */
export async function checkPassword(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<void> {
  await withCheckedPassword(deps, attempt, async (check) => {
    if (check.secondFactorSecret === null)
      await clearPasswordAttempts(deps.database, check.verified.emailHash);
  });
}

/**
 * Password sign-in, for the token endpoint and the sign-in form alike. Every path does the same work whether or not
 * there is an account: a place, a reservation with its look-up, one hash, one line in the audit log. `enter` has to
 * release the reservation.
 */
export async function withCheckedPassword<Value>(
  deps: CheckPasswordDeps,
  attempt: PasswordTry,
  enter: (check: PasswordCheck) => Promise<Value>,
): Promise<Value> {
  const email = requireEmailAddress(attempt.email);
  const place = deps.hasher.takePlace();
  try {
    const check = await verifyPassword(deps, place, email.normalised, attempt);
    const value = await enter(check);
    const verified = check.secondFactorSecret === null ? check.verified : check.passwordOnly;
    await renewHash(deps, place, verified, attempt.password);
    return value;
  } finally {
    place.leave();
  }
}

async function verifyPassword(
  deps: CheckPasswordDeps,
  place: HashingPlace,
  email: NormalisedEmail,
  { password, client }: PasswordTry,
): Promise<PasswordCheck> {
  const record = await reserveAttempt(deps, email, client);
  const matches = await place.verify(password, record?.passwordHash ?? null);
  if (record === null || record.passwordHash === null || !matches) {
    await note(deps, signInFailed, record?.accountId ?? null, client);
    if (record?.passwordHash === null)
      throw new ProblemError(passwordNotSet, 'this account has no password; sign in in the browser');
    throw wrongCredentials();
  }
  const { accountId, passwordHash, secondFactorSecret } = record;
  const verified = { accountId, passwordHash, emailHash: emailHash(email) };
  return secondFactorSecret === null
    ? { secondFactorSecret, verified }
    : { secondFactorSecret, passwordOnly: verified };
}

/** Counts a try at an address, or refuses it. Answers whose address it is. */
export async function reserveAttempt(
  deps: Omit<CheckPasswordDeps, 'hasher'>,
  email: NormalisedEmail,
  client: Client,
): Promise<AttemptedAccount | null> {
  const { outcome, record } = await reservePasswordAttempt(deps.database, email, deps.clock.now());
  if (outcome.admitted) return record;
  await note(deps, signInLocked, record?.accountId ?? null, client);
  const { retryAfterSeconds } = outcome;
  const detail = 'sign-in with a password is locked for this e-mail address after five failures';
  throw new ProblemError(accountLocked, detail, { retryAfterSeconds });
}

function note(
  { database, ids, clock }: Omit<CheckPasswordDeps, 'hasher'>,
  kind: AuditKind,
  accountId: AccountId | null,
  client: Client,
): Promise<void> {
  return recordAuditEvent(database, ids, { kind, at: clock.now(), accountId, client });
}

/** Hashes made with older parameters are replaced when their owner comes by: the only time the password is known. */
async function renewHash(
  { database, hasher }: CheckPasswordDeps,
  place: HashingPlace,
  { accountId, passwordHash }: VerifiedPassword,
  password: string,
): Promise<void> {
  if (!hasher.isOutdated(passwordHash)) return;
  await renewPasswordHash(database, accountId, passwordHash, await place.hash(password));
}
