import type { Id } from '../../foundation/ids.ts';
import type { StoredItem } from './item-store.ts';
import type { ReadingGroup } from './reading-group-store.ts';

export interface LockedItem {
  readonly item: StoredItem;
  readonly group: ReadingGroup;
  /** The group's selected item if that is another one. */
  readonly otherRepresentative: StoredItem | null;
}

/** By id. The next decision about such an item need not read it again; every decision that changes anything ends it. */
export type InspectedItems = Map<Id<'item'>, LockedItem>;
