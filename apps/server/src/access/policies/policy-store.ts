import type { Database } from '../../foundation/database/database.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import type { NamedRecord } from '../named-resources/named-resource-store.ts';
import { createNamedStore } from '../named-resources/named-resource-store.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';

export type PolicyRecord = NamedRecord & WrittenPolicy;

type OrganizationId = accounts.OrganizationId;

export const policyStore = createNamedStore<PolicyRecord>('access.policy', ['actions', 'resources']);
export const { find: findPolicies } = policyStore;

export async function insertPolicy(
  database: Database,
  organizationId: OrganizationId,
  policy: PolicyRecord,
  madeForToken: PlatformTokenId | null,
): Promise<PolicyRecord> {
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
  return policy;
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

/** Attached to a group or a token, also if the group is empty or the token is in owner mode. */
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
  const row = await database
    .selectFrom('access.policy')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

/** Numbers of the policies that were created with these tokens. */
export async function selectPoliciesMadeFor(
  database: Database,
  organizationId: OrganizationId,
  tokenIds: readonly PlatformTokenId[],
): Promise<readonly number[]> {
  if (tokenIds.length === 0) return [];
  const rows = await database
    .selectFrom('access.policy')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('made_for_token', 'in', [...tokenIds])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those that no group or token uses. Requires the organization's lock. Returns the deleted numbers. */
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
