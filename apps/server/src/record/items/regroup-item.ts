import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';
import { settleFirstAppearance } from './first-appearance.ts';
import { readGroupId } from './item-store.ts';
import type { Item } from './item.ts';
import { lockOrMakeGroup } from './opened-group.ts';
import type { ItemFault } from './opened-item.ts';
import { saveItemChange } from './opened-item.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import { setRepresentative } from './reading-group-store.ts';

/** Moves an item to another reading group. A selected item comes as that group's representative only if it has none. */
export async function regroupItem(
  work: Work,
  request: { readonly itemId: Id<'item'>; readonly groupId: Id<'reading-group'> },
): Promise<Result<'regrouped' | 'unchanged', ItemFault | 'representative_taken'>> {
  const fromId = await readGroupId(work.database, request.itemId);
  if (fromId === null) return refused('unknown_item');
  if (fromId === request.groupId) return accepted('unchanged');
  const groups = await lockReadingGroups(work, [fromId, request.groupId]);
  const [item] = await lockItems(work, [request.itemId]);
  if (item === undefined || item.groupId !== fromId) throw new ConcurrentChange();
  if (item.withdrawnAt !== null) return refused('withdrawn_item');
  const from = groupOf(groups, fromId);
  const to = await lockOrMakeGroup(work, request.groupId, item.timelineAt);
  if (item.selected && to.representativeId !== null) return refused('representative_taken');
  const moved: Item = { ...item, groupId: to.id };
  if (item.selected) {
    await setRepresentative(work.database, from.id, null);
    await setRepresentative(work.database, to.id, item.id);
  }
  await saveItemChange(work, item, moved, to.firstAppearedAt);
  await settleFirstAppearance(work, from);
  await settleFirstAppearance(work, to);
  work.cacheTags.add(recordCacheTags.items);
  return accepted('regrouped');
}

function groupOf(groups: readonly ReadingGroup[], id: Id<'reading-group'>): ReadingGroup {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new Error(`reading group ${id} is not there`);
  return group;
}
