import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptzOrNull } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { RelationChange } from '../changes/relation-change.ts';
import { changeRelation } from '../changes/relation-store.ts';

/** The users and policies of a group. */
export interface GroupContent {
  /** Also those whose membership has ended, until they are removed. */
  readonly users: readonly string[];
  /** Those of the users whose membership ends, or has ended, at a time. */
  readonly temporaryUsers: readonly TemporaryUser[];
  readonly policies: readonly number[];
}

export interface TemporaryUser {
  readonly username: string;
  readonly endsAt: EpochMicroseconds;
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
    .select(['account.username', 'member.ends_at'])
    .where('member.organization_id', '=', organizationId)
    .where('member.group_id', '=', id)
    .orderBy('account.username')
    .execute();
  const policies = await readPoliciesOfGroups(database, organizationId, [id]);
  return {
    users: users.map(({ username }) => username),
    temporaryUsers: users.flatMap(({ username, ends_at }) =>
      ends_at === null ? [] : [{ username, endsAt: fromTimestamptz(ends_at) }],
    ),
    policies,
  };
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

export function changeGroupPolicies(
  database: Database,
  organizationId: OrganizationId,
  groupId: number,
  change: RelationChange<number>,
): Promise<void> {
  const relation = { table: 'access.group_policy', member: 'policy_id' } as const;
  return changeRelation(database, { ...relation, organizationId, owner: ['group_id', groupId] }, change);
}

export function changeGroupUsers(
  database: Database,
  organizationId: OrganizationId,
  groupId: number,
  change: RelationChange<accounts.AccountId>,
): Promise<void> {
  const relation = { table: 'access.group_user', member: 'account_id' } as const;
  return changeRelation(database, { ...relation, organizationId, owner: ['group_id', groupId] }, change);
}

/** Of users of the group: a temporary membership becomes permanent, or gets another end. */
export async function setMembershipEnd(
  database: Database,
  organizationId: OrganizationId,
  groupId: number,
  {
    accountIds,
    endsAt,
  }: { readonly accountIds: readonly accounts.AccountId[]; readonly endsAt: EpochMicroseconds | null },
): Promise<void> {
  if (accountIds.length === 0) return;
  await database
    .updateTable('access.group_user')
    .set({ ends_at: toTimestamptzOrNull(endsAt) })
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .where('account_id', 'in', [...accountIds])
    .execute();
}
