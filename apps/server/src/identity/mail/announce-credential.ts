import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { findPerson } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { CredentialNews } from './mail-request-store.ts';
import type { RequestMailDeps } from './request-mail.ts';
import { requestMail } from './request-mail.ts';

/** An e-mail to the owner about something new that can act for the account. Not bounded: an intruder must not exhaust it. */
export async function announceCredential(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  accountId: AccountId,
  kind: CredentialNews,
): Promise<void> {
  const person = await findPerson(transaction, accountId);
  if (person === null) throw new Error('a credential of no account');
  await requestMail(transaction, deps, { kind, recipient: person.email, subjectId: accountId });
}
