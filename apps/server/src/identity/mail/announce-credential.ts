import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { findPerson } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { CredentialNews } from './mail-request-store.ts';
import type { RequestMailDeps } from './request-mail.ts';
import { requestMail } from './request-mail.ts';

/** Informs the owner about a new credential of the account. Not rate-limited: an intruder must not exhaust the limit. */
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
