import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { storedInstant } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { AccountId, OrganizationId, Role, Username } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

/** What an account is in one organization at this moment. */
export interface Standing {
  readonly organizationId: OrganizationId;
  readonly organizationKey: Username;
  readonly superuser: boolean;
  /** Null where it is not a member. */
  readonly membership: { readonly role: Role; readonly since: EpochMicroseconds } | null;
}

/** Null where there is no such organization or account. */
export async function findStanding(
  database: Database,
  accountId: AccountId,
  organization: { readonly key: string } | { readonly id: OrganizationId },
): Promise<Standing | null> {
  const query = database
    .selectFrom('identity.organization as organization')
    .innerJoin('identity.account as account', (join) => join.on('account.id', '=', accountId))
    .leftJoin('identity.organization_membership as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'organization.id')
        .onRef('member.account_id', '=', 'account.id'),
    )
    .select(['organization.id', 'organization.key', 'account.superuser', 'member.role', 'member.created_at']);
  const row = await (
    'key' in organization
      ? query.where('organization.key', '=', organization.key)
      : query.where('organization.id', '=', organization.id)
  ).executeTakeFirst();
  if (row === undefined) return null;
  return {
    organizationId: row.id as OrganizationId,
    organizationKey: row.key as Username,
    superuser: row.superuser,
    membership:
      row.role === null || row.created_at === null
        ? null
        : { role: row.role as Role, since: storedInstant(row.created_at) },
  };
}

/** Whoever changes what may be done in an organization holds this until the end of the transaction: one at a time. */
export async function lockOrganization(database: Database, id: OrganizationId): Promise<void> {
  await database
    .selectFrom('identity.organization')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export interface Member {
  readonly id: AccountId;
  readonly username: Username;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: EpochMicroseconds;
}

function members(database: Database, organizationId: OrganizationId) {
  return database
    .selectFrom('identity.organization_membership as member')
    .innerJoin('identity.account as account', 'account.id', 'member.account_id')
    .select(['account.id', 'account.username', 'account.name', 'member.role', 'member.created_at'])
    .where('member.organization_id', '=', organizationId);
}

interface MemberRow {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: string;
  readonly created_at: string;
}

function memberOf(row: MemberRow): Member {
  return {
    id: row.id as AccountId,
    username: row.username as Username,
    name: row.name,
    role: row.role as Role,
    createdAt: storedInstant(row.created_at),
  };
}

export async function listMembers(
  database: Database,
  organizationId: OrganizationId,
  request: PageRequest<AccountId>,
): Promise<readonly Member[]> {
  const columns = { createdAt: 'member.created_at', id: 'member.account_id' } as const;
  const rows = await selectPage(members(database, organizationId), request, columns).execute();
  return rows.map(memberOf);
}

/** Whoever came first stands first: for a page that shows so many at once. */
export async function listFirstMembers(
  database: Database,
  organizationId: OrganizationId,
  membersMax: number,
): Promise<readonly Member[]> {
  const query = members(database, organizationId).orderBy('member.created_at').orderBy('member.account_id');
  return (await query.limit(membersMax).execute()).map(memberOf);
}

/** Those of the usernames that are members. */
export async function findMembers(
  database: Database,
  organizationId: OrganizationId,
  usernames: readonly string[],
): Promise<readonly Member[]> {
  if (usernames.length === 0) return [];
  const rows = await members(database, organizationId)
    .where('account.username', 'in', [...usernames])
    .execute();
  return rows.map(memberOf);
}

export async function countOwners(database: Database, organizationId: OrganizationId): Promise<number> {
  const { count } = await database
    .selectFrom('identity.organization_membership')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** In the organization and its workspaces; every process that knows the account is told. */
export async function updateRole(
  database: Database,
  organizationId: OrganizationId,
  accountId: AccountId,
  role: Role,
): Promise<void> {
  await database
    .updateTable('identity.organization_membership')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
  await database
    .updateTable('identity.workspace_membership')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('workspace_id', 'in', (workspaces) =>
      workspaces.selectFrom('identity.workspace').select('id').where('organization_id', '=', organizationId),
    )
    .execute();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
}

export interface OwnOrganization {
  readonly key: Username;
  readonly name: string;
  readonly role: Role;
}

/** Where an account is a member, by name. */
export async function listOwnOrganizations(
  database: Database,
  accountId: AccountId,
): Promise<readonly OwnOrganization[]> {
  const rows = await database
    .selectFrom('identity.organization_membership as member')
    .innerJoin('identity.organization as organization', 'organization.id', 'member.organization_id')
    .select(['organization.key', 'organization.name', 'member.role'])
    .where('member.account_id', '=', accountId)
    .orderBy('organization.name')
    .orderBy('organization.key')
    .limit(1_000)
    .execute();
  return rows.map(({ key, name, role }) => ({ key: key as Username, name, role: role as Role }));
}
