import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount, removePasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { requestMail } from '../mail/mail-workflow.ts';
import { listPasskeys } from '../passkeys/passkey-store.ts';
import { deleteSecondFactor } from '../second-factor/second-factor-store.ts';
import { revokeSessions } from '../sessions/revoke-session.ts';
import type { SessionId } from '../sessions/session.ts';
import type { ReauthenticateDeps } from '../sign-in/reauthenticate.ts';
import { reauthenticate } from '../sign-in/reauthenticate.ts';

export const passwordSwitchedOff = defineAuditKind('password_switched_off', 'You switched the password off.');

/** Passkeys are then the way in. The second factor goes with what it guarded; every other session ends. */
export async function switchOffPassword(
  deps: ReauthenticateDeps,
  request: {
    readonly accountId: AccountId;
    readonly sessionId: SessionId;
    readonly password: string;
    readonly code: string;
    readonly client: Client;
  },
): Promise<void> {
  const { accountId, sessionId, client } = request;
  const { email: recipient } = await reauthenticate(deps, request);
  await deps.database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    if ((await listPasskeys(transaction, accountId)).length === 0)
      throw new ProblemError(conflict, 'add a passkey first: nothing else would let you in');
    await removePasswordHash(transaction, accountId);
    await deleteSecondFactor(transaction, accountId);
    const others = { accountId, except: sessionId };
    await revokeSessions(transaction, deps, others, 'password_changed', client);
    const at = deps.clock.now();
    await recordAuditEvent(transaction, deps.ids, { kind: passwordSwitchedOff, at, accountId, client });
    await requestMail(transaction, deps, { kind: 'sign_in_changed', recipient, subjectId: accountId });
  });
}
