import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount, removePasswordHash } from '../accounts/account-store.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { endCredentials, suspectSince } from '../credentials/credential-kind.ts';
import { requestMail } from '../mail/request-mail.ts';
import { lockOrganizationsOf } from '../organizations/organization-store.ts';
import { listPasskeys } from '../passkeys/passkey-store.ts';
import { deleteSecondFactor } from '../second-factor/second-factor-store.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';

export const passwordSwitchedOff = defineAuditKind('password_switched_off', 'You removed your password.');

/**
 * Passkeys remain for sign-in. The second factor is removed with the password, and what a change of the password ends:
 * other sessions, and codes and changes that an intruder may have requested in them.
 */
export async function switchOffPassword(
  deps: ReauthenticateDeps & { readonly credentialKinds: readonly CredentialKind[] },
  request: ProvenRequest,
): Promise<void> {
  const { accountId, sessionId, client } = request;
  const { email: recipient } = await reauthenticate(deps, 'switch_off_password', request);
  await deps.database.transaction().execute(async (transaction) => {
    const organizationIds = await lockOrganizationsOf(transaction, accountId);
    await lockAccount(transaction, accountId);
    await requireLiveSession(transaction, request, deps.clock.now());
    if ((await listPasskeys(transaction, accountId)).length === 0)
      throw new ProblemError(conflict, 'Add a passkey before you remove your password.');
    await removePasswordHash(transaction, accountId);
    await deleteSecondFactor(transaction, accountId);
    const at = deps.clock.now();
    const ending = { accountId, organizationIds, event: 'password_change', client, keep: sessionId } as const;
    await endCredentials(transaction, deps, { ...ending, only: null, suspectSince: suspectSince(at) });
    await recordAuditEvent(transaction, deps.ids, { kind: passwordSwitchedOff, at, accountId, client });
    await requestMail(transaction, deps, { kind: 'sign_in_changed', recipient, subjectId: accountId });
  });
}
