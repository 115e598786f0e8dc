import { defineAuditKind } from '../../audit/index.ts';
import { groupActions } from '../core-permissions/core-actions.ts';
import type { Caller } from '../credentials/caller.ts';
import { NamedResource } from '../named-resources/named-resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import type { GroupContent } from './group-content-store.ts';
import { readGroupContent } from './group-content-store.ts';
import type { GroupRecord } from './group-store.ts';
import { groupStore } from './group-store.ts';

export const groupCreated = defineAuditKind(
  'group_created',
  (word) => `You created the group “${word('name')}”.`,
);
export const groupUpdated = defineAuditKind('group_updated', 'You changed a group.');
export const groupDeleted = defineAuditKind('group_deleted', 'You deleted a group.');

export const groupResource = new NamedResource({
  noun: 'group',
  collection: 'groups',
  actions: groupActions,
  store: groupStore,
  countMax: 1_000,
  listRoute: 'listGroups',
  deleted: groupDeleted,
  inUse: 'The group has users or is attached to a token. Remove them first.',
});

export const { list: listGroups, readMany: readGroups, remove: removeGroup } = groupResource;

export interface GroupDetail extends GroupRecord, GroupContent {}

export async function readGroup(
  deps: ReadDeps,
  caller: Caller,
  asked: { readonly platformKey: string; readonly id: number },
): Promise<GroupDetail> {
  const { actor, found } = await groupResource.read(deps, caller, asked);
  return { ...found, ...(await readGroupContent(deps.database, actor.organization.id, found.id)) };
}
