import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { updateFirstAppearance } from '../items/first-appearance.ts';
import { readGroupId } from '../items/item-store.ts';
import type { Item } from '../items/item.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { saveItemChange } from '../items/locked-item.ts';
import type { ReadingGroup } from '../items/reading-group-store.ts';
import { insertReadingGroups, setRepresentative } from '../items/reading-group-store.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';

/** Moves an item to another reading group. A selected item becomes that group's representative only if it has none. */
export async function regroupItem(
  context: DecisionContext,
  request: { readonly itemId: Id<'item'>; readonly groupId: Id<'reading-group'> },
): Promise<DecisionResult<'regrouped' | 'unchanged', ItemFault | 'representative_taken'>> {
  const fromId = await readGroupId(context.database, request.itemId);
  if (fromId === null) return refused('unknown_item');
  if (fromId === request.groupId) return decided('unchanged');
  const groups = await lockReadingGroups(context, [fromId, request.groupId]);
  const [item] = await lockItems(context, [request.itemId]);
  if (item === undefined || item.groupId !== fromId) throw new ConcurrentChange();
  if (item.withdrawnAt !== null) return refused('withdrawn_item');
  const from = groupOf(groups, fromId);
  const to =
    groups.find(({ id }) => id === request.groupId) ??
    (await createGroup(context, request.groupId, item.timelineAt));
  if (item.selected && to.representativeId !== null) return refused('representative_taken');
  const moved: Item = { ...item, groupId: to.id };
  if (item.selected) {
    await setRepresentative(context.database, from.id, null);
    await setRepresentative(context.database, to.id, item.id);
  }
  await saveItemChange(context, item, moved, to.firstAppearedAt);
  await updateFirstAppearance(context, from);
  await updateFirstAppearance(context, to);
  return decided('regrouped', stale(recordCacheTags.items));
}

function groupOf(groups: readonly ReadingGroup[], id: Id<'reading-group'>): ReadingGroup {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new Error(`reading group ${id} is not there`);
  return group;
}

async function createGroup(
  { database }: DecisionContext,
  id: Id<'reading-group'>,
  firstAppearedAt: EpochMicroseconds,
): Promise<ReadingGroup> {
  const group = { id, firstAppearedAt, representativeId: null };
  if ((await insertReadingGroups(database, [group])) === 0) throw new ConcurrentChange();
  return group;
}
