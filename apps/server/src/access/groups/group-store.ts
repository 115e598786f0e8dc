import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';

export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
}

type OrganizationId = accounts.OrganizationId;

function groups(database: Database, organizationId: OrganizationId) {
  return database
    .selectFrom('access.user_group')
    .select(['id', 'name', 'created_at', 'updated_at'])
    .where('organization_id', '=', organizationId);
}

type GroupRow = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>;

function recordOf({ created_at, updated_at, ...row }: GroupRow): GroupRecord {
  return { ...row, createdAt: fromTimestamptz(created_at), updatedAt: fromTimestamptz(updated_at) };
}

export async function selectGroups(
  database: Database,
  organizationId: OrganizationId,
  request: PageRequest<bigint>,
  /** Occurs in the name, whatever its case. */
  query?: string,
): Promise<readonly GroupRecord[]> {
  const all = groups(database, organizationId);
  const found = query === undefined ? all : all.where('name', 'ilike', containsPattern(query));
  const rows = await selectPage(found, request, {
    createdAt: 'created_at',
    id: 'id',
  }).execute();
  return rows.map(recordOf);
}

/** Those of the numbers that the organization has. */
export async function findGroups(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<readonly GroupRecord[]> {
  if (ids.length === 0) return [];
  const rows = await groups(database, organizationId)
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(recordOf);
}

/** The groups that members are in, by number. */
export async function selectGroupsOf(
  database: Database,
  organizationId: OrganizationId,
  accountIds: readonly accounts.AccountId[],
): Promise<
  readonly { readonly accountId: accounts.AccountId; readonly id: number; readonly name: string }[]
> {
  if (accountIds.length === 0) return [];
  const rows = await database
    .selectFrom('access.group_user as member')
    .innerJoin('access.user_group as group', (join) =>
      join
        .onRef('group.organization_id', '=', 'member.organization_id')
        .onRef('group.id', '=', 'member.group_id'),
    )
    .select(['member.account_id', 'group.id', 'group.name'])
    .where('member.organization_id', '=', organizationId)
    .where('member.account_id', 'in', [...accountIds])
    .orderBy('group.id')
    .execute();
  return rows.map(({ account_id, id, name }) => ({ accountId: account_id as accounts.AccountId, id, name }));
}

export async function countGroups(database: Database, organizationId: OrganizationId): Promise<number> {
  const { count } = await database
    .selectFrom('access.user_group')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertGroup(
  database: Database,
  organizationId: OrganizationId,
  group: GroupRecord,
): Promise<void> {
  await database
    .insertInto('access.user_group')
    .values({
      organization_id: organizationId,
      id: group.id,
      name: group.name,
      created_at: isoMicroseconds(group.createdAt),
      updated_at: isoMicroseconds(group.updatedAt),
    })
    .execute();
}

export async function updateGroup(
  database: Database,
  organizationId: OrganizationId,
  group: GroupRecord,
): Promise<void> {
  await database
    .updateTable('access.user_group')
    .set({ name: group.name, updated_at: isoMicroseconds(group.updatedAt) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', group.id)
    .execute();
}

/** False where there is none. A group with users, or on a token, is kept by its references. */
export async function deleteGroup(
  database: Database,
  organizationId: OrganizationId,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('access.user_group')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
