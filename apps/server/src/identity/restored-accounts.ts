import type { Transaction } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { DB } from '../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { EmailAddress } from '../foundation/mail/email-address.ts';
import { parseEmailAddress } from '../foundation/mail/email-address.ts';
import { findPasswordRecord, findPerson, lockAccount, removePasswordHash } from './accounts/account-store.ts';
import type { AccountId } from './accounts/account.ts';
import { deletionGraceDays } from './accounts/account.ts';
import { operatorClient } from './client.ts';
import type { CredentialKind } from './credentials/credential-kind.ts';
import { endCredentials } from './credentials/credential-kind.ts';
import { insertAccountDeletion } from './deletion/account-deletion-store.ts';
import { deletionCancelled } from './deletion/cancel-account-deletion.ts';
import { deletionRequested } from './deletion/request-account-deletion.ts';
import { emailChanged, replaceEmail } from './email-change/change-email.ts';
import { emailRestored } from './email-change/undo-email-change.ts';
import type { RequestMailDeps } from './mail/request-mail.ts';
import { requestMail } from './mail/request-mail.ts';
import { externalIdentityUnlinked } from './openid/unlink-external-identity.ts';
import { lockOrganizationsOf } from './organizations/organization-store.ts';
import { passwordChanged } from './recovery/reset-password.ts';
import { deleteSecondFactor } from './second-factor/second-factor-store.ts';
import {
  secondFactorTurnedOff,
  secondFactorTurnedOffByOperator,
} from './second-factor/set-up-second-factor.ts';
import { passkeyRemoved } from './sign-in-methods/add-passkey.ts';
import { passwordSwitchedOff } from './sign-in-methods/switch-off-password.ts';

/** What an event of the audit log means for a database that was restored to a time before it. */
export type RevokingEvent =
  | 'sign_in_changed'
  | 'email_changed'
  | 'second_factor_off'
  | 'deletion_requested'
  | 'deletion_cancelled';

/** By the name of the event. */
export const revokingEvents: ReadonlyMap<string, RevokingEvent> = new Map([
  [passwordChanged.name, 'sign_in_changed'],
  [passwordSwitchedOff.name, 'sign_in_changed'],
  [passkeyRemoved.name, 'sign_in_changed'],
  [externalIdentityUnlinked.name, 'sign_in_changed'],
  [emailChanged.name, 'email_changed'],
  [emailRestored.name, 'email_changed'],
  [secondFactorTurnedOff.name, 'second_factor_off'],
  [secondFactorTurnedOffByOperator.name, 'second_factor_off'],
  [deletionRequested.name, 'deletion_requested'],
  [deletionCancelled.name, 'deletion_cancelled'],
]);

export interface CloseDeps extends RequestMailDeps {
  readonly database: Database;
  readonly credentialKinds: readonly CredentialKind[];
}

export interface ChangedSince {
  readonly accountId: AccountId;
  /** The address that the account had last, if it changed. */
  readonly email: string | null;
  readonly secondFactorOff: boolean;
}

/** `address_taken`: closed, but another account of the backup has its address. */
export type Closing = 'closed' | 'address_taken' | 'unknown';

/**
 * The backup has sign-in methods that the owner replaced or removed since. All of them end, as after an undone change
 * of the address, and the owner gets a link to set a password. `unknown`: the backup does not have the account.
 */
export async function closeRestoredAccount(deps: CloseDeps, changed: ChangedSince): Promise<Closing> {
  const { accountId } = changed;
  return deps.database.transaction().execute(async (transaction) => {
    if ((await findPerson(transaction, accountId)) === null) return 'unknown';
    const organizationIds = await lockOrganizationsOf(transaction, accountId);
    await lockAccount(transaction, accountId);
    await removePasswordHash(transaction, accountId);
    await endCredentials(transaction, deps, {
      accountId,
      organizationIds,
      event: 'email_undo',
      client: operatorClient,
      keep: null,
      only: null,
      // The second factor of the backup stays, unless it was turned off since.
      suspectSince: deps.clock.now(),
    });
    if (changed.secondFactorOff) await deleteSecondFactor(transaction, accountId);
    if (!(await restoreEmail(transaction, changed))) return 'address_taken';
    const person = await findPerson(transaction, accountId);
    const recipient = person?.email ?? '';
    await requestMail(transaction, deps, { kind: 'reset_password', recipient, subjectId: accountId });
    return 'closed';
  });
}

async function restoreEmail(
  transaction: Transaction<DB>,
  { accountId, email }: ChangedSince,
): Promise<boolean> {
  const address: EmailAddress | null = email === null ? null : emailOf(email);
  if (address === null) return true;
  const holder = await findPasswordRecord(transaction, address.normalised);
  if (holder !== null && holder.accountId !== accountId) return false;
  await replaceEmail(transaction, accountId, address);
  return true;
}

function emailOf(text: string): EmailAddress | null {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? parsed.value : null;
}

/** Due at the same time as before. Does nothing if the backup has the request, or does not have the account. */
export async function requestDeletionAgain(
  database: Database,
  accountId: AccountId,
  requestedAt: EpochMicroseconds,
): Promise<boolean> {
  const person = await findPerson(database, accountId);
  if (person === null) return false;
  const dueAt = addMs(requestedAt, deletionGraceDays * dayMs);
  await insertAccountDeletion(database, accountId, requestedAt, dueAt);
  return true;
}
