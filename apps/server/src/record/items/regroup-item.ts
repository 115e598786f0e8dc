import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { Overtaken } from '../decision.ts';
import { recordTopics } from '../topics.ts';
import { lockItems, readGroupId } from './item-store.ts';
import type { Item } from './item.ts';
import type { ItemFault } from './opened-item.ts';
import { keepItem } from './opened-item.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import {
  insertReadingGroup,
  lockReadingGroups,
  setRepresentative,
  settleFirstAppearance,
} from './reading-group-store.ts';

/** Moves an item to another reading group. A selected item comes as that group's representative only if it has none. */
export async function regroupItem(
  work: Work,
  request: { readonly itemId: Id<'item'>; readonly groupId: Id<'reading-group'> },
): Promise<Result<'regrouped' | 'unchanged', ItemFault | 'representative_taken'>> {
  const fromId = await readGroupId(work.database, request.itemId);
  if (fromId === null) return refused('unknown_item');
  if (fromId === request.groupId) return accepted('unchanged');
  await insertReadingGroup(work.database, request.groupId, work.now);
  const groups = await lockReadingGroups(work.database, [fromId, request.groupId]);
  const [item] = await lockItems(work.database, [request.itemId]);
  if (item === undefined || item.groupId !== fromId) throw new Overtaken();
  if (item.withdrawnAt !== null) return refused('withdrawn_item');
  const [from, to] = [groupOf(groups, fromId), groupOf(groups, request.groupId)];
  if (item.selected && to.representativeId !== null) return refused('representative_taken');
  const moved: Item = { ...item, groupId: to.id };
  if (item.selected) {
    await setRepresentative(work.database, from.id, null);
    await setRepresentative(work.database, to.id, item.id);
  }
  await keepItem(work, item, moved, to.firstAppearedAt);
  await settleFirstAppearance(work.database, from);
  await settleFirstAppearance(work.database, to);
  work.topics.add(recordTopics.items);
  return accepted('regrouped');
}

function groupOf(groups: readonly ReadingGroup[], id: Id<'reading-group'>): ReadingGroup {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new Error(`reading group ${id} is not there`);
  return group;
}
