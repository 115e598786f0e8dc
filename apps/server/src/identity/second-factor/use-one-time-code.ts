import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AttemptOrigin } from '../attempts/known-source.ts';
import { releaseAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import { invalidOneTimeCode, secondFactorRequired } from '../identity-problems.ts';
import type { PasswordCheck } from '../passwords/check-password.ts';
import { reserveAttempt } from '../passwords/check-password.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import { recoveryCodeHash } from './recovery-code.ts';
import { useRecoveryCode, useStep } from './second-factor-store.ts';
import { matchingStep } from './time-code.ts';

export const oneTimeCodeFailed = defineAuditKind(
  'one_time_code_failed',
  'The password was correct, but the one-time code was wrong or already used.',
);
export const recoveryCodeUsed = defineAuditKind('recovery_code_used', 'A recovery code was used.');

export const oneTimeCodeRequested = defineAuditKind(
  'one_time_code_asked_for',
  'The password was correct, and a one-time code was requested.',
);

export interface OneTimeCodeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
}

export interface OneTimeCodeTry {
  readonly accountId: AccountId;
  readonly sealedSecret: Buffer;
  /** From the app, or a recovery code. */
  readonly code: string;
  readonly client: Client;
}

/** The secret of one account cannot be decrypted as that of another. */
export function sealPurpose(accountId: AccountId): string {
  return `second factor of ${accountId}`;
}

/** Uses a code, or refuses it. The caller has reserved an attempt, which stays counted after a refusal. */
export async function useOneTimeCode(deps: OneTimeCodeDeps, attempt: OneTimeCodeTry): Promise<void> {
  const { database, clock, ids } = deps;
  const { accountId, client } = attempt;
  const used = await usedAs(deps, attempt);
  if (used === 'code') return;
  const kind = used === 'recovery code' ? recoveryCodeUsed : oneTimeCodeFailed;
  await recordAuditEvent(database, ids, { kind, at: clock.now(), accountId, client });
  if (used === null) throw wrongCode();
}

/** Uses a code if one is required. The password was right: its attempt is released, and the code's is counted. */
export async function passSecondFactor(
  deps: OneTimeCodeDeps,
  check: PasswordCheck,
  { code, ...origin }: AttemptOrigin & { readonly code: string | undefined },
): Promise<VerifiedPassword> {
  if (check.secondFactorSecret === null) return check.verified;
  const { secondFactorSecret: sealedSecret, passwordOnly } = check;
  const { accountId } = passwordOnly;
  const { email } = passwordOnly.attempt;
  const { client } = origin;
  await releaseAttempt(deps.database, passwordOnly.attempt);
  if (code === undefined) {
    await recordCodeRequest(deps, accountId, client);
    throw new ProblemError(secondFactorRequired, 'This account requires a one-time code.');
  }
  const { attempt } = await reserveAttempt(deps, { email, guessed: 'code', origin });
  await useOneTimeCode(deps, { accountId, sealedSecret, code, client });
  return { ...passwordOnly, attempt };
}

/** Shows the owner that someone knows the password. */
export function recordCodeRequest(
  { database, ids, clock }: Pick<OneTimeCodeDeps, 'database' | 'ids' | 'clock'>,
  accountId: AccountId,
  client: Client,
): Promise<void> {
  return recordAuditEvent(database, ids, { kind: oneTimeCodeRequested, at: clock.now(), accountId, client });
}

/** The same error for a wrong, expired or used code. */
export function wrongCode(): ProblemError {
  return new ProblemError(invalidOneTimeCode, 'The code is wrong, expired or already used.', {
    errors: [{ in: 'body', name: 'one_time_code', message: 'is wrong, expired or already used' }],
  });
}

async function usedAs(
  { database, clock, secretBox }: OneTimeCodeDeps,
  { accountId, sealedSecret, code }: OneTimeCodeTry,
): Promise<'code' | 'recovery code' | null> {
  const recovery = recoveryCodeHash(code);
  if (recovery !== null)
    return (await useRecoveryCode(database, accountId, recovery)) ? 'recovery code' : null;
  const secret = secretBox.open(sealedSecret, sealPurpose(accountId));
  const step = matchingStep(secret, code.replaceAll(/\s/g, ''), clock.nowMs());
  return step !== null && (await useStep(database, accountId, step)) ? 'code' : null;
}
