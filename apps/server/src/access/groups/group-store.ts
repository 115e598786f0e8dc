import type { Database } from '../../foundation/database/database.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import { isCurrentMembership } from '../authorities/authority-store.ts';
import type { NamedRecord } from '../named-resources/named-resource-store.ts';
import { createNamedStore } from '../named-resources/named-resource-store.ts';

export type GroupRecord = NamedRecord;

type OrganizationId = accounts.OrganizationId;

export const groupStore = createNamedStore<GroupRecord>('access.user_group', []);
export const { find: findGroups } = groupStore;

/** The groups of members, by number. */
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
    .where(isCurrentMembership('member'))
    .orderBy('group.id')
    .execute();
  return rows.map(({ account_id, id, name }) => ({ accountId: account_id as accounts.AccountId, id, name }));
}

export async function insertGroup(
  database: Database,
  organizationId: OrganizationId,
  group: GroupRecord,
): Promise<GroupRecord> {
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
  return group;
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
