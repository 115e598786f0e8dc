import type { Database } from '../../foundation/database/database.ts';
import type { RelationChange } from '../changes/relation-change.ts';
import type { PlatformToken } from '../credentials/platform-token.ts';

export interface TokenAttachments {
  readonly policies: readonly number[];
  readonly groups: readonly number[];
}

type TokenKey = Pick<PlatformToken, 'id' | 'organizationId'>;

export async function readTokenAttachments(
  database: Database,
  { id, organizationId }: TokenKey,
): Promise<TokenAttachments> {
  const policies = await database
    .selectFrom('access.token_policy')
    .select('policy_id')
    .where('organization_id', '=', organizationId)
    .where('token_id', '=', id)
    .orderBy('policy_id')
    .execute();
  const groups = await database
    .selectFrom('access.token_group')
    .select('group_id')
    .where('organization_id', '=', organizationId)
    .where('token_id', '=', id)
    .orderBy('group_id')
    .execute();
  return {
    policies: policies.map((row) => row.policy_id),
    groups: groups.map((row) => row.group_id),
  };
}

export async function changeTokenPolicies(
  database: Database,
  { id, organizationId }: TokenKey,
  { add, remove }: RelationChange<number>,
): Promise<void> {
  if (remove.length > 0)
    await database
      .deleteFrom('access.token_policy')
      .where('organization_id', '=', organizationId)
      .where('token_id', '=', id)
      .where('policy_id', 'in', [...remove])
      .execute();
  if (add.length > 0)
    await database
      .insertInto('access.token_policy')
      .values(add.map((policyId) => ({ organization_id: organizationId, token_id: id, policy_id: policyId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function changeTokenGroups(
  database: Database,
  { id, organizationId }: TokenKey,
  { add, remove }: RelationChange<number>,
): Promise<void> {
  if (remove.length > 0)
    await database
      .deleteFrom('access.token_group')
      .where('organization_id', '=', organizationId)
      .where('token_id', '=', id)
      .where('group_id', 'in', [...remove])
      .execute();
  if (add.length > 0)
    await database
      .insertInto('access.token_group')
      .values(add.map((groupId) => ({ organization_id: organizationId, token_id: id, group_id: groupId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
