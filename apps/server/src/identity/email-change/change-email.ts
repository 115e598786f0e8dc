import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { addMs } from '../../foundation/instant.ts';
import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../../foundation/mail/mail-limits.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, findPerson, lockAccount, updateEmail } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { invalidLink } from '../identity-problems.ts';
import {
  findMailedToken,
  mailedTokenMs,
  useMailedToken,
  voidMailedTokens,
} from '../mail/mailed-token-store.ts';
import { requestMail } from '../mail/request-mail.ts';
import { takenProblem } from '../registration/create-account.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';
import type { EmailChangeId } from './email-change-store.ts';
import {
  endOpenEmailChanges,
  findOpenEmailChange,
  findWaitingEmailChange,
  insertEmailChange,
  markEmailChangeConfirmed,
} from './email-change-store.ts';

export const emailChangeRequested = defineAuditKind(
  'email_change_requested',
  'A change of the e-mail address was requested.',
);
export const emailChanged = defineAuditKind('email_changed', 'The e-mail address was changed.');

export interface EmailChangeRequest extends ProvenRequest {
  readonly email: string;
}

/**
 * Guarded, because a person with access to the address can reset the password. Returns the same result
 * whether or not another account has the address; a mail reports the outcome.
 */
export async function requestEmailChange(
  deps: ReauthenticateDeps & RecipientDeps,
  request: EmailChangeRequest,
): Promise<void> {
  const { accountId, client } = request;
  const email = requireEmailAddress(request.email);
  const person = await findPerson(deps.database, accountId);
  if (person?.emailNormalised === email.normalised) throw invalidField('email', 'is already your address');
  await reauthenticate(deps, 'change_email', request);
  await admitRecipient(deps, email);
  await deps.database.transaction().execute(async (transaction) => {
    const now = deps.clock.now();
    await lockAccount(transaction, accountId);
    // A new password or an undone change may have ended the session since the password was checked.
    await requireLiveSession(transaction, request, now);
    await endOpenEmailChanges(transaction, accountId, now);
    const id: EmailChangeId = deps.ids.next();
    await insertEmailChange(transaction, { id, accountId, email, createdAt: now });
    const taken = await findPasswordRecord(transaction, email.normalised);
    await requestMail(transaction, deps, {
      kind: taken === null ? 'confirm_email' : 'email_taken',
      recipient: email.written,
      subjectId: id,
    });
    const kind = emailChangeRequested;
    await recordAuditEvent(transaction, deps.ids, { kind, at: now, accountId, client });
  });
}

interface EmailLink {
  readonly token: string;
  /** The signed-in account: a mistyped address must not give the account to the owner of that address. */
  readonly accountId: AccountId;
}

/** The address that the link would assign; null if the link has expired or belongs to another account. */
export async function readEmailChangeLink(
  { database, clock }: Pick<ReauthenticateDeps, 'database' | 'clock'>,
  { token, accountId }: EmailLink,
): Promise<string | null> {
  const id = await findMailedToken(database, 'confirm_email', token, clock.now());
  const change = id === null ? null : await findOpenEmailChange(database, id);
  return change?.accountId === accountId ? change.email.written : null;
}

/** Confirms the new address with its link. The previous address gets a link that undoes the change. */
export async function confirmEmailChange(
  deps: Pick<ReauthenticateDeps, 'database' | 'clock' | 'ids'>,
  { token, accountId, client }: EmailLink & { readonly client: Client },
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    const now = deps.clock.now();
    await lockAccount(transaction, accountId);
    const id = await useMailedToken(transaction, 'confirm_email', token, now);
    const change = id === null ? null : await findOpenEmailChange(transaction, id);
    const person = await findPerson(transaction, accountId);
    // A refusal rolls back the use of the link, so that no other account can use it up.
    if (id === null || person === null || change?.accountId !== accountId)
      throw new ProblemError(invalidLink, 'The link is no longer valid. Request a new one.');
    const replaced = { written: person.email, normalised: person.emailNormalised };
    await replaceEmail(transaction, accountId, change.email);
    await markEmailChangeConfirmed(transaction, id, replaced, now);
    // They were sent to the previous address.
    await voidMailedTokens(transaction, 'reset_password', accountId, now);
    await requestMail(transaction, deps, {
      kind: 'undo_email',
      recipient: replaced.written,
      subjectId: id,
    });
    await recordAuditEvent(transaction, deps.ids, { kind: emailChanged, at: now, accountId, client });
  });
}

/** Requires the account's lock. The constraint decides whether the address is free. */
export async function replaceEmail(
  transaction: Database,
  accountId: AccountId,
  email: EmailAddress,
): Promise<void> {
  try {
    await updateEmail(transaction, accountId, email);
  } catch (error) {
    throw takenProblem(error) ?? error;
  }
}

/** A mailed link confirms a change; a confirmed change can be undone from the previous address. */
export const emailChanges: CredentialKind = {
  name: 'pending e-mail address changes',
  columns: ['identity.email_change.account_id'],
  effects: {
    password_change: 'ends',
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'It concerns the account, not an organization.' },
  },
  list: async (database, { accountId, now }) => {
    const open = await findWaitingEmailChange(database, accountId, addMs(now, -mailedTokenMs.confirm_email));
    if (open === null) return [];
    const { id, email, createdAt } = open;
    return [{ id, name: `Change to ${email}`, createdAt, lastUsedAt: null, origin: null }];
  },
  end: (transaction, { clock }, { accountId }) => endOpenEmailChanges(transaction, accountId, clock.now()),
};
