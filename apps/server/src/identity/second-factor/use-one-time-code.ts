import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { invalidOneTimeCode } from '../identity-problems.ts';
import { recoveryCodeHash } from './recovery-code.ts';
import { useRecoveryCode, useStep } from './second-factor-store.ts';
import { matchingStep } from './time-code.ts';

export const oneTimeCodeFailed = defineAuditKind(
  'one_time_code_failed',
  'The password was right, but the one-time code was wrong or used before.',
);
export const recoveryCodeUsed = defineAuditKind('recovery_code_used', 'A recovery code was used.');

export interface OneTimeCodeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
}

export interface OneTimeCodeTry {
  readonly accountId: AccountId;
  readonly sealedSecret: Buffer;
  /** Of the app, or a recovery code. */
  readonly code: string;
  readonly client: Client;
}

/** The secret of one account cannot be opened as that of another. */
export function sealPurpose(accountId: AccountId): string {
  return `second factor of ${accountId}`;
}

/** Uses a code up, or refuses it. The caller has reserved an attempt, which a refusal leaves counted. */
export async function useOneTimeCode(deps: OneTimeCodeDeps, attempt: OneTimeCodeTry): Promise<void> {
  const { database, clock, ids } = deps;
  const { accountId, client } = attempt;
  const used = await usedAs(deps, attempt);
  if (used === 'code') return;
  const kind = used === 'recovery code' ? recoveryCodeUsed : oneTimeCodeFailed;
  await recordAuditEvent(database, ids, { kind, at: clock.now(), accountId, client });
  if (used === null) throw wrongCode();
}

/** The same words for a code that is wrong, too old or used before. */
export function wrongCode(): ProblemError {
  return new ProblemError(invalidOneTimeCode, 'the code is wrong, too old, or was used before', {
    errors: [{ in: 'body', name: 'one_time_code', message: 'is wrong, too old, or was used before' }],
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
