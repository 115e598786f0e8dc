import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';

export interface PolicyRecord extends WrittenPolicy {
  readonly id: number;
  readonly name: string;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
}

type OrganizationId = accounts.OrganizationId;

function policies(database: Database, organizationId: OrganizationId) {
  return database
    .selectFrom('access.policy')
    .select(['id', 'name', 'actions', 'resources', 'created_at', 'updated_at'])
    .where('organization_id', '=', organizationId);
}

type PolicyRow = Awaited<ReturnType<ReturnType<typeof policies>['executeTakeFirstOrThrow']>>;

function recordOf({ created_at, updated_at, ...row }: PolicyRow): PolicyRecord {
  return { ...row, createdAt: fromTimestamptz(created_at), updatedAt: fromTimestamptz(updated_at) };
}

export async function selectPolicies(
  database: Database,
  organizationId: OrganizationId,
  request: PageRequest<bigint>,
  /** Occurs in the name, whatever its case. */
  query?: string,
): Promise<readonly PolicyRecord[]> {
  const all = policies(database, organizationId);
  const found = query === undefined ? all : all.where('name', 'ilike', containsPattern(query));
  const rows = await selectPage(found, request, {
    createdAt: 'created_at',
    id: 'id',
  }).execute();
  return rows.map(recordOf);
}

export async function findPolicy(
  database: Database,
  organizationId: OrganizationId,
  id: number,
): Promise<PolicyRecord | null> {
  const row = await policies(database, organizationId).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}

/** Those of the numbers that the organization has. */
export async function findPolicies(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<readonly PolicyRecord[]> {
  if (ids.length === 0) return [];
  const rows = await policies(database, organizationId)
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(recordOf);
}

export async function countPolicies(database: Database, organizationId: OrganizationId): Promise<number> {
  const { count } = await database
    .selectFrom('access.policy')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertPolicy(
  database: Database,
  organizationId: OrganizationId,
  policy: PolicyRecord,
  madeForToken: PlatformTokenId | null,
): Promise<void> {
  await database
    .insertInto('access.policy')
    .values({
      organization_id: organizationId,
      id: policy.id,
      name: policy.name,
      actions: [...policy.actions],
      resources: [...policy.resources],
      created_at: isoMicroseconds(policy.createdAt),
      updated_at: isoMicroseconds(policy.updatedAt),
      made_for_token: madeForToken,
    })
    .execute();
}

export async function updatePolicy(
  database: Database,
  organizationId: OrganizationId,
  policy: PolicyRecord,
): Promise<void> {
  await database
    .updateTable('access.policy')
    .set({
      name: policy.name,
      actions: [...policy.actions],
      resources: [...policy.resources],
      updated_at: isoMicroseconds(policy.updatedAt),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', policy.id)
    .execute();
}

/** False where there is none. A policy in use is kept by its references. */
export async function deletePolicy(
  database: Database,
  organizationId: OrganizationId,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('access.policy')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Attached to a group or a token, whether or not anyone is in the group or the token heeds it now. */
export async function isPolicyInUse(
  database: Database,
  organizationId: OrganizationId,
  id: number,
): Promise<boolean> {
  for (const table of ['access.group_policy', 'access.token_policy'] as const) {
    const row = await database
      .selectFrom(table)
      .select('policy_id')
      .where('organization_id', '=', organizationId)
      .where('policy_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

export async function isPolicyNameTaken(
  database: Database,
  organizationId: OrganizationId,
  name: string,
): Promise<boolean> {
  const row = await policies(database, organizationId).where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}

/** Numbers of the policies that were made together with these tokens. */
export async function selectPoliciesMadeFor(
  database: Database,
  organizationId: OrganizationId,
  tokenIds: readonly PlatformTokenId[],
): Promise<readonly number[]> {
  if (tokenIds.length === 0) return [];
  const rows = await policies(database, organizationId)
    .where('made_for_token', 'in', [...tokenIds])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those that no group and no token uses, with the organization's lock held. Answers the numbers of the deleted. */
export async function deleteUnusedPolicies(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const used = (table: 'access.group_policy' | 'access.token_policy') =>
    database.selectFrom(table).select('policy_id').where('organization_id', '=', organizationId);
  const rows = await database
    .deleteFrom('access.policy')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .where('id', 'not in', used('access.group_policy'))
    .where('id', 'not in', used('access.token_policy'))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}
