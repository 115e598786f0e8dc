import type { AuditKind } from '../../audit/index.ts';
import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { renewPasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AttemptOrigin } from '../attempts/known-source.ts';
import { attemptSources } from '../attempts/known-source.ts';
import type { AttemptedAccount, Guessed, ReservedAttempt } from '../attempts/sign-in-attempt-store.ts';
import { releaseAttempt, reserveSignInAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import { accountLocked, wrongCredentials, passwordNotSet } from '../identity-problems.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import type { HashingSlot, PasswordHasher } from './password-hasher.ts';

export const signInFailed = defineAuditKind('sign_in_failed', 'A sign-in failed: the password was wrong.');
export const signInLocked = defineAuditKind(
  'sign_in_locked',
  'A sign-in was refused after too many failed attempts.',
);

export interface CheckPasswordDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hasher: PasswordHasher;
}

export interface PasswordAttempt extends AttemptOrigin {
  readonly email: string;
  readonly password: string;
}

/** A correct password, and whether it is sufficient. */
export type PasswordCheck =
  | { readonly secondFactorSecret: null; readonly verified: VerifiedPassword }
  | { readonly secondFactorSecret: Buffer; readonly passwordOnly: VerifiedPassword };

/** For callers that only check the password. Attempts at a one-time code have their own counters. */
export async function checkPassword(deps: CheckPasswordDeps, attempt: PasswordAttempt): Promise<void> {
  await withCheckedPassword(deps, attempt, (check) =>
    releaseAttempt(deps.database, verifiedOf(check).attempt),
  );
}

function verifiedOf(check: PasswordCheck): VerifiedPassword {
  return check.secondFactorSecret === null ? check.verified : check.passwordOnly;
}

/**
 * Password sign-in, for the token endpoint and the sign-in form. Every path does the same work with or without an
 * account: a hashing slot, a reservation with its look-up, one hash, one audit event. `enter` must release the
 * reservation.
 */
export async function withCheckedPassword<Value>(
  deps: CheckPasswordDeps,
  attempt: PasswordAttempt,
  enter: (check: PasswordCheck) => Promise<Value>,
): Promise<Value> {
  const email = requireEmailAddress(attempt.email);
  const place = deps.hasher.reserveSlot();
  try {
    const check = await verifyPassword(deps, place, email.normalised, attempt);
    const value = await enter(check);
    await renewHash(deps, place, verifiedOf(check), attempt.password);
    return value;
  } finally {
    place.leave();
  }
}

async function verifyPassword(
  deps: CheckPasswordDeps,
  place: HashingSlot,
  email: NormalisedEmail,
  { password, ...origin }: PasswordAttempt,
): Promise<PasswordCheck> {
  const { client } = origin;
  const { record, attempt } = await reserveAttempt(deps, { email, guessed: 'password', origin });
  const matches = await place.verify(password, record?.passwordHash ?? null);
  if (record === null || record.passwordHash === null || !matches) {
    await note(deps, signInFailed, record?.accountId ?? null, client);
    if (record?.passwordHash === null)
      throw new ProblemError(passwordNotSet, 'This account has no password. Sign in through the browser.');
    throw wrongCredentials();
  }
  const { accountId, passwordHash, secondFactorSecret } = record;
  const verified = { accountId, passwordHash, attempt };
  return secondFactorSecret === null
    ? { secondFactorSecret, verified }
    : { secondFactorSecret, passwordOnly: verified };
}

/** Counts an attempt at an e-mail address, or refuses it. Returns the account of the address. */
export async function reserveAttempt(
  deps: Omit<CheckPasswordDeps, 'hasher'>,
  request: {
    readonly email: NormalisedEmail;
    readonly guessed: Guessed;
    readonly origin: AttemptOrigin;
  },
): Promise<{ readonly record: AttemptedAccount | null; readonly attempt: ReservedAttempt }> {
  const { email, guessed, origin } = request;
  const { outcome, record } = await reserveSignInAttempt(deps.database, {
    email,
    guessed,
    sources: attemptSources(origin),
    now: deps.clock.now(),
  });
  if (outcome.admitted) return { record, attempt: outcome.attempt };
  await note(deps, signInLocked, record?.accountId ?? null, origin.client);
  const { retryAfterSeconds } = outcome;
  const detail = 'Too many failed sign-ins with this e-mail address. To sign in sooner, reset the password.';
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

/** Replaces hashes with older parameters at sign-in: the only time the password is known. */
async function renewHash(
  { database, hasher }: CheckPasswordDeps,
  place: HashingSlot,
  { accountId, passwordHash }: VerifiedPassword,
  password: string,
): Promise<void> {
  if (!hasher.isOutdated(passwordHash)) return;
  await renewPasswordHash(database, accountId, passwordHash, await place.hash(password));
}
