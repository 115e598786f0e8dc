import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, updatePasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { emailHash, parseEmailAddress } from '../accounts/email-address.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { accountLocked, invalidCredentials, passwordNotSet } from '../identity-problems.ts';
import type { HashingPlace, PasswordHasher } from '../passwords/password-hasher.ts';
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

/**
 * The password door, for the token endpoint and the sign-in form alike. Every path does the same work whether or not
 * there is an account: a place, a reservation, a look-up, one hash, one line in the audit log.
 */
export async function checkPassword(deps: CheckPasswordDeps, attempt: PasswordTry): Promise<AccountId> {
  const email = parseEmailAddress(attempt.email);
  if (!email.ok) {
    throw new ProblemError(invalidRequest, 'email is not an e-mail address', {
      errors: [{ in: 'body', name: 'email', message: 'is not an e-mail address' }],
    });
  }
  const place = deps.hasher.takePlace();
  try {
    const key = emailHash(email.value.normalised);
    const reservation = await reservePasswordAttempt(deps.database, key, deps.clock.now());
    const record = await findPasswordRecord(deps.database, email.value.normalised);
    if (!reservation.admitted) {
      await note(deps, 'sign_in_locked', record?.accountId ?? null, attempt.client);
      const { retryAfterSeconds } = reservation;
      const detail = 'sign-in with a password is locked for this e-mail address after five failures';
      throw new ProblemError(accountLocked, detail, { retryAfterSeconds });
    }
    const matches = await place.verify(attempt.password, record?.passwordHash ?? null);
    if (record === null || !matches) {
      await note(deps, 'sign_in_failed', record?.accountId ?? null, attempt.client);
      if (record?.passwordHash === null)
        throw new ProblemError(passwordNotSet, 'this account has no password; sign in in the browser');
      throw new ProblemError(invalidCredentials, 'the e-mail address or the password is wrong');
    }
    await clearPasswordAttempts(deps.database, key);
    await renewHash(deps, place, record.accountId, record.passwordHash, attempt.password);
    return record.accountId;
  } finally {
    place.leave();
  }
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
  accountId: AccountId,
  passwordHash: string | null,
  password: string,
): Promise<void> {
  if (passwordHash === null || !hasher.isOutdated(passwordHash)) return;
  await updatePasswordHash(database, accountId, await place.hash(password));
}
