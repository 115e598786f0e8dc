import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { DecisionContext } from '../decision.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';
import type { LockedItem } from './inspected-items.ts';
import type { StoredItem } from './item-store.ts';
import { readGroupId, updateItem } from './item-store.ts';
import type { Item } from './item.ts';
import { composeItem, timelineKeyOf } from './item.ts';
import { itemRevised } from './logged-item.ts';
import { updateWindowItem } from './window-store.ts';

export type ItemFault = 'unknown_item' | 'withdrawn_item';

/** An item that is not withdrawn, its reading group and that group's representative, all locked. */
export async function lockItemAndGroup(
  context: DecisionContext,
  id: Id<'item'>,
): Promise<Result<LockedItem, ItemFault>> {
  const inspected = context.inspected.get(id);
  // Once: a decision that asks again may have changed it meanwhile.
  context.inspected.delete(id);
  if (inspected !== undefined) return accepted(inspected);
  const groupId = await readGroupId(context.database, id);
  if (groupId === null) return refused('unknown_item');
  const [group] = await lockReadingGroups(context, [groupId]);
  if (group === undefined) throw new Error(`item ${id} has no reading group`);
  const { representativeId } = group;
  const ids = representativeId === null || representativeId === id ? [id] : [id, representativeId];
  const items = await lockItems(context, ids);
  const item = items.find((one) => one.id === id);
  if (item === undefined || item.groupId !== groupId) throw new ConcurrentChange();
  if (item.withdrawnAt !== null) return refused('withdrawn_item');
  const otherRepresentative = items.find((one) => one.id !== id) ?? null;
  return accepted({ item, group, otherRepresentative });
}

/** Writes a changed item to the archive, the window, the log and, if it is or was selected, the ledger. */
export async function saveItemChange(
  context: DecisionContext,
  before: StoredItem,
  after: Item,
  groupFirstAppearedAt: EpochMicroseconds,
): Promise<void> {
  const { body, digest } = composeItem(after);
  await updateItem(context.database, after);
  await updateWindowItem(context.database, {
    item: after,
    body,
    timelineKey: timelineKeyOf(after, groupFirstAppearedAt),
  });
  context.log.push(...itemRevised(before, after));
  const mirrored = before.digest !== null || digest !== null;
  if (mirrored && body !== composeItem(before).body) {
    context.ledger.push({ itemId: after.id, before: before.digest, after: digest });
  }
}
