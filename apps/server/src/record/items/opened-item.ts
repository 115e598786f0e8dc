import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';
import type { StoredItem } from './item-store.ts';
import { readGroupId, updateItem } from './item-store.ts';
import type { Item } from './item.ts';
import { composeItem, timelineKeyOf } from './item.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import { updateWindowItem } from './window-store.ts';

export type ItemFault = 'unknown_item' | 'withdrawn_item';

export interface OpenedItem {
  readonly item: StoredItem;
  readonly group: ReadingGroup;
  /** The group's selected item where that is another one. */
  readonly otherRepresentative: StoredItem | null;
}

/** An item that stands, its reading group and that group's representative, all locked. */
export async function openItem(work: Work, id: Id<'item'>): Promise<Result<OpenedItem, ItemFault>> {
  const groupId = await readGroupId(work.database, id);
  if (groupId === null) return refused('unknown_item');
  const [group] = await lockReadingGroups(work, [groupId]);
  if (group === undefined) throw new Error(`item ${id} stands in no reading group`);
  const { representativeId } = group;
  const ids = representativeId === null || representativeId === id ? [id] : [id, representativeId];
  const items = await lockItems(work, ids);
  const item = items.find((one) => one.id === id);
  if (item === undefined || item.groupId !== groupId) throw new ConcurrentChange();
  if (item.withdrawnAt !== null) return refused('withdrawn_item');
  const otherRepresentative = items.find((one) => one.id !== id) ?? null;
  return accepted({ item, group, otherRepresentative });
}

/** Writes a changed item to the archive, the window and, where it is or was selected, the ledger. */
export async function saveItemChange(
  work: Work,
  before: StoredItem,
  after: Item,
  groupFirstAppearedAt: EpochMicroseconds,
): Promise<void> {
  const { body, digest } = composeItem(after);
  await updateItem(work.database, after);
  await updateWindowItem(work.database, {
    item: after,
    body,
    timelineKey: timelineKeyOf(after, groupFirstAppearedAt),
  });
  const mirrored = before.digest !== null || digest !== null;
  if (mirrored && body !== composeItem(before).body) {
    work.ledger.push({ itemId: after.id, before: before.digest, after: digest });
  }
}
