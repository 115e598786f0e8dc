import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../../foundation/mail/mail-limits.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPerson, lockAccount } from '../accounts/account-store.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { invalidActionCode } from '../identity-problems.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ActionCodeId, GuardedRequest } from './action-code-store.ts';
import { deleteActionCodes, insertActionCode, listActionCodes, useActionCode } from './action-code-store.ts';
import { guardedActions } from './guarded-action.ts';

export const actionCodeFailed = defineAuditKind(
  'action_code_failed',
  'A confirmation code was wrong, expired, already used or for another action.',
);

/** Sends a code to the account's address. A stolen session can request codes too, so they are limited per hour. */
export async function requestActionCode(
  deps: RequestMailDeps & RecipientDeps & { readonly database: Database },
  request: GuardedRequest,
): Promise<{ readonly email: string }> {
  const person = await findPerson(deps.database, request.accountId);
  if (person === null) throw new Error('a session without an account');
  const { email } = person;
  await admitRecipient(deps, requireEmailAddress(email));
  await deps.database.transaction().execute(async (transaction) => {
    const now = deps.clock.now();
    await lockAccount(transaction, request.accountId);
    await requireLiveSession(transaction, request, now);
    const id: ActionCodeId = deps.ids.next();
    await insertActionCode(transaction, id, request, now);
    await requestMail(transaction, deps, { kind: 'confirm_action', recipient: email, subjectId: id });
  });
  return { email };
}

/** Uses the code, or refuses it. */
export async function requireActionCode(
  { database, clock, ids }: { readonly database: Database } & Pick<RequestMailDeps, 'clock' | 'ids'>,
  request: GuardedRequest,
  typed: string,
  client: Client,
): Promise<void> {
  const at = clock.now();
  if (typed !== '' && (await useActionCode(database, request, typed, at))) return;
  const { accountId } = request;
  await recordAuditEvent(database, ids, { kind: actionCodeFailed, at, accountId, client });
  throw new ProblemError(invalidActionCode, 'Request a code by e-mail and enter it.', {
    errors: [{ in: 'body', name: 'mailed_code', message: 'is missing, wrong, expired or already used' }],
  });
}

export const actionCodes: CredentialKind = {
  name: 'e-mailed confirmation codes',
  columns: ['identity.action_code.account_id'],
  effects: {
    password_change: 'ends',
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'It concerns the account, not an organization.' },
  },
  list: async (database, { accountId, now }) =>
    (await listActionCodes(database, accountId, now)).map(({ id, action, createdAt }) => ({
      id,
      name: `Code to ${guardedActions[action]}`,
      createdAt,
      lastUsedAt: null,
      origin: null,
    })),
  end: (transaction, _deps, { accountId, only }) => deleteActionCodes(transaction, accountId, only),
};
