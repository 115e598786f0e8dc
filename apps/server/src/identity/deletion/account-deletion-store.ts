import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import type { AccountId, OrganizationId, Role } from '../accounts/account.ts';
import { clearSignInAttempts } from '../attempts/sign-in-attempt-store.ts';

/** An organization of an account, with the members that would remain without it. */
export interface AffectedOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly role: Role;
  readonly otherMembers: number;
  /** Of these, owners whose account is not scheduled for deletion. */
  readonly otherOwners: number;
  /** The organization itself is scheduled for deletion. */
  readonly isDeleted: boolean;
}

/** Ordered by id, which is also the order of locking. */
export async function listAffectedOrganizations(
  database: Database,
  accountId: AccountId,
): Promise<readonly AffectedOrganization[]> {
  const { rows } = await sql<{
    id: OrganizationId;
    name: string;
    role: Role;
    other_members: string;
    other_owners: string;
    is_deleted: boolean;
  }>`
    SELECT organization.id, organization.name, member.role, count(other.account_id) AS other_members,
      count(other.account_id) FILTER (WHERE other.role = 'owner' AND deletion.account_id IS NULL) AS other_owners,
      EXISTS (SELECT FROM identity.organization_deletion
        WHERE organization_deletion.organization_id = organization.id) AS is_deleted
    FROM identity.organization_membership AS member
    JOIN identity.organization ON organization.id = member.organization_id
    LEFT JOIN identity.organization_membership AS other
      ON other.organization_id = member.organization_id AND other.account_id <> member.account_id
    LEFT JOIN identity.account_deletion AS deletion ON deletion.account_id = other.account_id
    WHERE member.account_id = ${accountId}
    GROUP BY organization.id, organization.name, member.role ORDER BY organization.id`.execute(database);
  return rows.map(({ id, name, role, other_members, other_owners, is_deleted: isDeleted }) => ({
    id,
    name,
    role,
    otherMembers: Number(other_members),
    otherOwners: Number(other_owners),
    isDeleted,
  }));
}

export async function insertAccountDeletion(
  database: Database,
  accountId: AccountId,
  requestedAt: EpochMicroseconds,
  dueAt: EpochMicroseconds,
): Promise<void> {
  await database
    .insertInto('identity.account_deletion')
    .values({
      account_id: accountId,
      requested_at: isoMicroseconds(requestedAt),
      due_at: isoMicroseconds(dueAt),
    })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
}

export async function hasAccountDeletion(database: Database, accountId: AccountId): Promise<boolean> {
  const row = await database
    .selectFrom('identity.account_deletion')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deleting the row decides between a sign-in and the removal. With `dueBy`, only if the deletion is due. */
export async function takeAccountDeletion(
  database: Database,
  accountId: AccountId,
  dueBy?: EpochMicroseconds,
): Promise<boolean> {
  let query = database.deleteFrom('identity.account_deletion').where('account_id', '=', accountId);
  if (dueBy !== undefined) query = query.where('due_at', '<=', isoMicroseconds(dueBy));
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Due deletions, after the given one. */
export async function findDueDeletions(
  database: Database,
  now: EpochMicroseconds,
  page: { readonly limit: number; readonly after?: AccountId },
): Promise<readonly AccountId[]> {
  let query = database
    .selectFrom('identity.account_deletion')
    .select('account_id')
    .where('due_at', '<=', isoMicroseconds(now));
  if (page.after !== undefined) query = query.where('account_id', '>', page.after);
  const rows = await query.orderBy('account_id').limit(page.limit).execute();
  return rows.map((row) => row.account_id as AccountId);
}

const placeholderOf = (id: string): string => `deleted-${id.replaceAll('-', '').slice(-20)}`;

/** Removes personal data; the row stays because other rows refer to it. Username and address become free. */
export async function erasePerson(database: Database, id: AccountId): Promise<void> {
  const placeholder = placeholderOf(id);
  const address = `${placeholder}@deleted.invalid`;
  await database
    .updateTable('identity.account')
    .set({
      username: placeholder,
      email: address,
      email_normalised: address,
      name: 'Deleted account',
      image_url: null,
      password_hash: null,
      superuser: false,
    })
    .where('id', '=', id)
    .execute();
}

/** The same for an organization without members. */
export async function eraseOrganizationName(database: Database, id: OrganizationId): Promise<void> {
  await database
    .updateTable('identity.organization')
    .set({ key: placeholderOf(id), name: 'Deleted organization' })
    .where('id', '=', id)
    .execute();
}

const ownedTables = [
  'exchange_code',
  'session',
  'api_key',
  'passkey',
  'second_factor',
  'external_identity',
  'email_change',
  'account_picture',
  'known_source',
  'action_code',
] as const;

/** All rows that belong to an account alone, in any state. */
export async function deleteOwnedRows(
  database: Database,
  accountId: AccountId,
  email: NormalisedEmail,
): Promise<void> {
  await sql`
    DELETE FROM identity.mail_request WHERE lower(recipient) = ${email} OR subject_id = ${accountId}
      OR subject_id IN (SELECT id FROM identity.email_change WHERE account_id = ${accountId})`.execute(
    database,
  );
  for (const table of ownedTables)
    await sql`DELETE FROM ${sql.table(`identity.${table}`)} WHERE account_id = ${accountId}`.execute(
      database,
    );
  await database.deleteFrom('identity.mailed_token').where('subject_id', '=', accountId).execute();
  await database.deleteFrom('identity.sign_up').where('email_normalised', '=', email).execute();
  await clearSignInAttempts(database, email);
}
