import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { renewPasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { NormalisedEmail } from '../accounts/email-address.ts';
import { emailHash, parseEmailAddress } from '../accounts/email-address.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { accountLocked, wrongCredentials, passwordNotSet } from '../identity-problems.ts';
import type { HashingPlace, PasswordHasher } from '../passwords/password-hasher.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import { clearPasswordAttempts, reservePasswordAttempt } from './password-attempt-store.ts';

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

/** For whoever needs no more than to know that it is right. Opens the door again. */
export async function checkPassword(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<AccountId> {
  return throughPasswordDoor(deps, attempt, async (verified) => {
    await clearPasswordAttempts(deps.database, verified.emailHash);
    return verified.accountId;
  });
}

/**
 * The password door, for the token endpoint and the sign-in form alike. Every path does the same work whether or not
 * there is an account: a place, a reservation with its look-up, one hash, one line in the audit log. `enter` has to
 * release the reservation.
 */
export async function throughPasswordDoor<Value>(
  deps: CheckPasswordDeps,
  attempt: PasswordTry,
  enter: (verified: VerifiedPassword) => Promise<Value>,
): Promise<Value> {
  const email = parseEmailAddress(attempt.email);
  if (!email.ok) {
    throw new ProblemError(invalidRequest, 'email is not an e-mail address', {
      errors: [{ in: 'body', name: 'email', message: 'is not an e-mail address' }],
    });
  }
  const place = deps.hasher.takePlace();
  try {
    const verified = await verifyPassword(deps, place, email.value.normalised, attempt);
    const value = await enter(verified);
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
): Promise<VerifiedPassword> {
  const { outcome, record } = await reservePasswordAttempt(deps.database, email, deps.clock.now());
  if (!outcome.admitted) {
    await note(deps, 'sign_in_locked', record?.accountId ?? null, client);
    const { retryAfterSeconds } = outcome;
    const detail = 'sign-in with a password is locked for this e-mail address after five failures';
    throw new ProblemError(accountLocked, detail, { retryAfterSeconds });
  }
  const matches = await place.verify(password, record?.passwordHash ?? null);
  if (record === null || record.passwordHash === null || !matches) {
    await note(deps, 'sign_in_failed', record?.accountId ?? null, client);
    if (record?.passwordHash === null)
      throw new ProblemError(passwordNotSet, 'this account has no password; sign in in the browser');
    throw wrongCredentials();
  }
  return { accountId: record.accountId, passwordHash: record.passwordHash, emailHash: emailHash(email) };
}

function note(
  { database, ids, clock }: CheckPasswordDeps,
  kind: 'sign_in_failed' | 'sign_in_locked',
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
