import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { EmailAddress, NormalisedEmail } from '../../foundation/mail/email-address.ts';
import type {
  Account,
  AccountId,
  Membership,
  OrganizationId,
  Username,
  WorkspaceMembership,
} from './account.ts';

/** The columns that a password check needs. */
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

/** Whether the address is still the account's; if so, locks it until the transaction ends. */
export async function holdPassword(
  transaction: Database,
  accountId: AccountId,
  passwordHash: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('identity.account')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the account until the transaction ends, for callers that count its rows before they add one. */
export async function lockAccount(transaction: Database, id: AccountId): Promise<void> {
  await transaction
    .selectFrom('identity.account')
    .select('id')
    .where('id', '=', id)
    // Not `FOR UPDATE`, which would block every insert of a row that refers to the account.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

interface AccountRow {
  readonly id: AccountId;
  readonly username: Username;
  readonly email: string;
  readonly name: string;
  readonly image_url: string | null;
  readonly organization_id: OrganizationId;
  readonly superuser: boolean;
  readonly memberships: readonly Membership[];
  readonly workspaces: readonly WorkspaceMembership[];
}

/** Columns of `identity.account AS account`, for queries that join an account. */
const accountColumns = sql`
  account.id, account.username, account.email, account.name, account.image_url, account.organization_id,
  account.superuser, coalesce((
    SELECT json_agg(json_build_object('organizationId', organization.id, 'organizationKey', organization.key,
      'organizationName', organization.name, 'role', member.role) ORDER BY member.created_at, organization.id)
    FROM identity.organization_membership AS member JOIN identity.organization ON organization.id = member.organization_id
    WHERE member.account_id = account.id AND NOT EXISTS (SELECT FROM identity.organization_deletion AS deletion
      WHERE deletion.organization_id = organization.id)), '[]') AS memberships, coalesce((
    SELECT json_agg(json_build_object('workspaceId', workspace.id, 'workspaceName', workspace.name,
      'organizationId', workspace.organization_id, 'role', member.role) ORDER BY workspace.created_at, workspace.id)
    FROM identity.workspace_membership AS member JOIN identity.workspace ON workspace.id = member.workspace_id
    WHERE member.account_id = account.id AND NOT EXISTS (SELECT FROM identity.organization_deletion AS deletion
      WHERE deletion.organization_id = workspace.organization_id)), '[]') AS workspaces`;

/** The account in `found`, one of the common table expressions of `before`. Prepared under its name. */
export async function readFoundAccount(
  database: Database,
  name: string,
  before: RawBuilder<unknown>,
): Promise<Account | null> {
  const { rows } = await sql<AccountRow>`${preparedAs(name)}
    WITH ${before}
    SELECT ${accountColumns} FROM found JOIN identity.account AS account ON account.id = found.id`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { image_url: imageUrl, organization_id: organizationId, ...same } = row;
  return { ...same, imageUrl, organizationId };
}

export function findAccount(database: Database, id: AccountId): Promise<Account | null> {
  return readFoundAccount(database, 'find-account', sql`found AS (SELECT ${id}::uuid AS id)`);
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

export async function updateEmail(database: Database, id: AccountId, email: EmailAddress): Promise<void> {
  await database
    .updateTable('identity.account')
    .set({ email: email.written, email_normalised: email.normalised })
    .where('id', '=', id)
    .execute();
}

export async function updateAccountName(database: Database, id: AccountId, name: string): Promise<void> {
  await database.updateTable('identity.account').set({ name }).where('id', '=', id).execute();
}

export async function removePasswordHash(database: Database, id: AccountId): Promise<void> {
  await database.updateTable('identity.account').set({ password_hash: null }).where('id', '=', id).execute();
}

/** False if the account has no password. */
export async function hasPassword(database: Database, id: AccountId): Promise<boolean> {
  const row = await database
    .selectFrom('identity.account')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The public names of an account, and its e-mail address. */
export interface Person {
  readonly username: Username;
  readonly name: string;
  readonly email: string;
  readonly emailNormalised: NormalisedEmail;
}

export async function findPerson(database: Database, id: AccountId): Promise<Person | null> {
  const row = await database
    .selectFrom('identity.account')
    .select(['username', 'name', 'email', 'email_normalised'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { username, name, email, email_normalised: emailNormalised } = row;
  return {
    username: username as Username,
    name,
    email,
    emailNormalised: emailNormalised as NormalisedEmail,
  };
}

export async function findUsernames(
  database: Database,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, Username>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('identity.account')
    .select(['id', 'username'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, username }) => [id as AccountId, username as Username]));
}

export async function findAccountIdOf(database: Database, username: string): Promise<AccountId | null> {
  const row = await database
    .selectFrom('identity.account')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst();
  return (row?.id ?? null) as AccountId | null;
}

/** The names in use by an account or an organization: a new account gets an organization of its name. */
export async function findTakenUsernames(
  database: Database,
  usernames: readonly Username[],
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('identity.account')
    .select('username')
    .where('username', 'in', usernames)
    .union(
      database.selectFrom('identity.organization').select('key as username').where('key', 'in', usernames),
    )
    .execute();
  return new Set(rows.map(({ username }) => username));
}

/** Does nothing if it was changed since `replaced` was read. */
export async function renewPasswordHash(
  database: Database,
  id: AccountId,
  replaced: string,
  passwordHash: string,
): Promise<void> {
  await database
    .updateTable('identity.account')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', replaced)
    .execute();
}

/** The flag in rule 4 of platform tokens; only an operator sets it. */
export async function markSuperuser(database: Database, id: AccountId): Promise<void> {
  await database.updateTable('identity.account').set({ superuser: true }).where('id', '=', id).execute();
}
