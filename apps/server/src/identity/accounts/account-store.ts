import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type {
  Account,
  AccountId,
  Membership,
  OrganizationId,
  Username,
  WorkspaceMembership,
} from './account.ts';
import type { EmailAddress, NormalisedEmail } from './email-address.ts';

/** What a password sign-in needs to know before it may know more. */
export interface PasswordRecord {
  readonly accountId: AccountId;
  readonly passwordHash: string | null;
}

export async function findPasswordRecord(
  database: Database,
  email: NormalisedEmail,
): Promise<PasswordRecord | null> {
  const row = await database
    .selectFrom('identity.account')
    .select(['id', 'password_hash'])
    .where('email_normalised', '=', email)
    .executeTakeFirst();
  return row === undefined ? null : { accountId: row.id as AccountId, passwordHash: row.password_hash };
}

export async function findAccount(database: Database, id: AccountId): Promise<Account | null> {
  const row = await database
    .selectFrom('identity.account as account')
    .select(['id', 'username', 'email', 'name', 'image_url', 'organization_id', 'superuser'])
    .select(
      sql<readonly Membership[]>`coalesce((
      SELECT json_agg(json_build_object('organizationId', organization_id, 'role', role) ORDER BY created_at, organization_id)
      FROM identity.organization_membership WHERE account_id = account.id), '[]')`.as('memberships'),
    )
    .select(
      sql<readonly WorkspaceMembership[]>`coalesce((
      SELECT json_agg(json_build_object('workspaceId', workspace.id, 'workspaceName', workspace.name,
        'organizationId', workspace.organization_id, 'role', member.role) ORDER BY workspace.created_at, workspace.id)
      FROM identity.workspace_membership AS member JOIN identity.workspace ON workspace.id = member.workspace_id
      WHERE member.account_id = account.id), '[]')`.as('workspaces'),
    )
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id,
    username: row.username as Username,
    email: row.email,
    name: row.name,
    imageUrl: row.image_url,
    organizationId: row.organization_id as OrganizationId,
    superuser: row.superuser,
    memberships: row.memberships,
    workspaces: row.workspaces,
  };
}

export interface NewAccount {
  readonly id: AccountId;
  readonly username: Username;
  readonly email: EmailAddress;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly organizationId: OrganizationId;
  readonly createdAt: EpochMicroseconds;
}

export async function insertAccount(database: Database, account: NewAccount): Promise<void> {
  await database
    .insertInto('identity.account')
    .values({
      id: account.id,
      username: account.username,
      email: account.email.written,
      email_normalised: account.email.normalised,
      name: account.name,
      password_hash: account.passwordHash,
      organization_id: account.organizationId,
      created_at: isoMicroseconds(account.createdAt),
    })
    .execute();
}

export async function updatePasswordHash(
  database: Database,
  id: AccountId,
  passwordHash: string,
): Promise<void> {
  await database
    .updateTable('identity.account')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .execute();
}

export async function readAccountEmail(
  database: Database,
  id: AccountId,
): Promise<{ readonly email: string; readonly normalised: NormalisedEmail } | null> {
  const row = await database
    .selectFrom('identity.account')
    .select(['email', 'email_normalised'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { email: row.email, normalised: row.email_normalised as NormalisedEmail };
}

export async function isUsernameTaken(database: Database, username: Username): Promise<boolean> {
  const row = await database
    .selectFrom('identity.account')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst();
  return row !== undefined;
}

/** Rule 4 of platform tokens speaks of this flag; only an operator sets it. */
export async function markSuperuser(database: Database, id: AccountId): Promise<void> {
  await database.updateTable('identity.account').set({ superuser: true }).where('id', '=', id).execute();
}
