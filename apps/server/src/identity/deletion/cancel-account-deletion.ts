import type { Transaction } from 'kysely';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { findPerson } from '../accounts/account-store.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { SignedIn } from '../sessions/open-session.ts';
import { hasAccountDeletion, takeAccountDeletion } from './account-deletion-store.ts';

export const deletionCancelled = defineAuditKind(
  'account_deletion_cancelled',
  'Signing in cancelled the deletion of the account.',
);

/** A sign-in cancels the deletion, and a mail informs the owner. Runs in the caller's transaction. */
export async function cancelAccountDeletion(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  { accountId, client }: SignedIn,
): Promise<void> {
  if (!(await takeAccountDeletion(transaction, accountId))) return;
  const event = { kind: deletionCancelled, at: deps.clock.now(), accountId, client };
  await recordAuditEvent(transaction, deps.ids, event);
  const person = await findPerson(transaction, accountId);
  if (person === null) throw new Error('a deletion of no account');
  const mail = { kind: 'deletion_cancelled', recipient: person.email, subjectId: accountId } as const;
  await requestMail(transaction, deps, mail);
}

/** The same after a sign-in without a transaction: begins one only if a deletion is scheduled. */
export async function cancelRequestedDeletion(
  deps: RequestMailDeps & { readonly database: Database },
  signedIn: SignedIn,
): Promise<void> {
  if (!(await hasAccountDeletion(deps.database, signedIn.accountId))) return;
  await deps.database
    .transaction()
    .execute((transaction) => cancelAccountDeletion(transaction, deps, signedIn));
}
