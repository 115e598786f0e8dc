import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { EmailAddress, NormalisedEmail } from '../../foundation/mail/email-address.ts';
import type { AccountId } from '../accounts/account.ts';

export type EmailChangeId = Id<'e-mail change'>;

/** Requested, and not confirmed yet. */
export interface OpenEmailChange {
  readonly accountId: AccountId;
  readonly email: EmailAddress;
}

export interface ConfirmedEmailChange {
  readonly id: EmailChangeId;
  readonly accountId: AccountId;
  readonly createdAt: EpochMicroseconds;
  readonly replaced: EmailAddress;
}

export async function insertEmailChange(
  database: Database,
  change: OpenEmailChange & { readonly id: EmailChangeId; readonly createdAt: EpochMicroseconds },
): Promise<void> {
  await database
    .insertInto('identity.email_change')
    .values({
      id: change.id,
      account_id: change.accountId,
      email: change.email.written,
      email_normalised: change.email.normalised,
      created_at: isoMicroseconds(change.createdAt),
    })
    .execute();
}

function openChanges(database: Database) {
  return database
    .selectFrom('identity.email_change')
    .select(['account_id', 'email', 'email_normalised'])
    .where('confirmed_at', 'is', null)
    .where('ended_at', 'is', null);
}

export async function findOpenEmailChange(database: Database, id: string): Promise<OpenEmailChange | null> {
  const row = await openChanges(database).where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const email = { written: row.email, normalised: row.email_normalised as NormalisedEmail };
  return { accountId: row.account_id as AccountId, email };
}

/** Requires the account's lock. `replaced` is the current address of the account. */
export async function markEmailChangeConfirmed(
  database: Database,
  id: string,
  replaced: EmailAddress,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.email_change')
    .set({
      confirmed_at: isoMicroseconds(now),
      replaced_email: replaced.written,
      replaced_email_normalised: replaced.normalised,
    })
    .where('id', '=', id)
    .execute();
}

/** Invalidates their confirmation links. */
export async function endOpenEmailChanges(
  database: Database,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.email_change')
    .set({ ended_at: isoMicroseconds(now) })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute();
}

/** The change whose link is still valid; an account has at most one. */
export async function findWaitingEmailChange(
  database: Database,
  accountId: AccountId,
  since: EpochMicroseconds,
): Promise<{ readonly id: string; readonly email: string; readonly createdAt: string } | null> {
  const row = await database
    .selectFrom('identity.email_change')
    .select(['id', 'email', 'created_at'])
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>', isoMicroseconds(since))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { id: row.id, email: row.email, createdAt: isoMilliseconds(fromTimestamptz(row.created_at)) };
}

export async function findConfirmedEmailChange(
  database: Database,
  id: string,
): Promise<ConfirmedEmailChange | null> {
  const row = await database
    .selectFrom('identity.email_change')
    .select(['id', 'account_id', 'created_at', 'replaced_email', 'replaced_email_normalised'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row?.replaced_email || !row.replaced_email_normalised) return null;
  return {
    id: row.id as EmailChangeId,
    accountId: row.account_id as AccountId,
    createdAt: fromTimestamptz(row.created_at),
    replaced: {
      written: row.replaced_email,
      normalised: row.replaced_email_normalised as NormalisedEmail,
    },
  };
}

/** Ids of the account's changes that were requested after this one. */
export async function listLaterEmailChanges(
  database: Database,
  { id, accountId }: Pick<ConfirmedEmailChange, 'id' | 'accountId'>,
): Promise<readonly EmailChangeId[]> {
  const rows = await database
    .selectFrom('identity.email_change')
    .select('id')
    .where('account_id', '=', accountId)
    // Ids rise with time.
    .where('id', '>', id)
    .execute();
  return rows.map((row) => row.id as EmailChangeId);
}

export interface EmailChangeRecord {
  readonly email: string;
  readonly replacedEmail: string | null;
  readonly createdAt: EpochMicroseconds;
  readonly confirmedAt: EpochMicroseconds | null;
}

/** The stored changes, oldest first. */
export async function listEmailChanges(
  database: Database,
  accountId: AccountId,
): Promise<readonly EmailChangeRecord[]> {
  const rows = await database
    .selectFrom('identity.email_change')
    .select(['email', 'replaced_email', 'created_at', 'confirmed_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    email: row.email,
    replacedEmail: row.replaced_email,
    createdAt: fromTimestamptz(row.created_at),
    confirmedAt: row.confirmed_at === null ? null : fromTimestamptz(row.confirmed_at),
  }));
}
