import type { Id } from '../../foundation/ids.ts';
import type { StoredItem } from './matching/stored-item.ts';

/** About 8 KB each. */
const itemsMax = 4_000;

/**
 * Recently compared items of the index. An item of the index changes only when the version of its terms does, so a
 * copy of the current version equals the row; the least recently used one is evicted first.
 */
export class ItemCache {
  readonly #items = new Map<Id<'item'>, StoredItem>();

  get(itemId: Id<'item'>): StoredItem | undefined {
    const stored = this.#items.get(itemId);
    if (stored !== undefined) {
      this.#items.delete(itemId);
      this.#items.set(itemId, stored);
    }
    return stored;
  }

  add(itemId: Id<'item'>, stored: StoredItem): void {
    this.#items.set(itemId, stored);
    if (this.#items.size <= itemsMax) return;
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.#items.delete(oldest);
  }
}
