import type { Database } from '../../foundation/database/database.ts';
import type { accounts } from '../../identity/index.ts';
import type { RelationChange } from '../changes/relation-change.ts';

/** The users and policies of a group. */
export interface GroupContent {
  readonly users: readonly string[];
  readonly policies: readonly number[];
}

type OrganizationId = accounts.OrganizationId;

export async function readGroupContent(
  database: Database,
  organizationId: OrganizationId,
  id: number,
): Promise<GroupContent> {
  const users = await database
    .selectFrom('access.group_user as member')
    .innerJoin('identity.account as account', 'account.id', 'member.account_id')
    .select('account.username')
    .where('member.organization_id', '=', organizationId)
    .where('member.group_id', '=', id)
    .orderBy('account.username')
    .execute();
  const policies = await readPoliciesOfGroups(database, organizationId, [id]);
  return { users: users.map(({ username }) => username), policies };
}

export async function readPoliciesOfGroups(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('access.group_policy')
    .select('policy_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('group_id', 'in', [...ids])
    .orderBy('policy_id')
    .execute();
  return rows.map((row) => row.policy_id);
}

export async function changeGroupPolicies(
  database: Database,
  organizationId: OrganizationId,
  groupId: number,
  { add, remove }: RelationChange<number>,
): Promise<void> {
  if (remove.length > 0)
    await database
      .deleteFrom('access.group_policy')
      .where('organization_id', '=', organizationId)
      .where('group_id', '=', groupId)
      .where('policy_id', 'in', [...remove])
      .execute();
  if (add.length > 0)
    await database
      .insertInto('access.group_policy')
      .values(
        add.map((policyId) => ({ organization_id: organizationId, group_id: groupId, policy_id: policyId })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function changeGroupUsers(
  database: Database,
  organizationId: OrganizationId,
  groupId: number,
  { add, remove }: RelationChange<accounts.AccountId>,
): Promise<void> {
  if (remove.length > 0)
    await database
      .deleteFrom('access.group_user')
      .where('organization_id', '=', organizationId)
      .where('group_id', '=', groupId)
      .where('account_id', 'in', [...remove])
      .execute();
  if (add.length > 0)
    await database
      .insertInto('access.group_user')
      .values(
        add.map((accountId) => ({
          organization_id: organizationId,
          group_id: groupId,
          account_id: accountId,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
