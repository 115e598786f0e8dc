import type { PagePosition } from '../../../apps/server/src/foundation/pagination/page-cursor.ts';

export type Entry<RowId> = PagePosition<RowId>;

export interface ExpectedPage<RowId> {
  readonly entries: readonly Entry<RowId>[];
  readonly hasMore: boolean;
}

/** The list as it should be shown: a sorted array, changed by splicing. Knows no SQL and no cursors. */
export class ListModel<RowId extends bigint | string> {
  #entries: Entry<RowId>[];

  constructor(entries: readonly Entry<RowId>[]) {
    this.#entries = [...entries].sort(newestFirst);
  }

  get size(): number {
    return this.#entries.length;
  }

  at(index: number): Entry<RowId> | undefined {
    return this.#entries[index];
  }

  keys(): Set<string> {
    return new Set(this.#entries.map(keyOf));
  }

  insert(entry: Entry<RowId>): void {
    this.#entries.splice(this.#indexOf(entry), 0, entry);
  }

  remove(entry: Entry<RowId>): boolean {
    const index = this.#indexOf(entry);
    const found = this.#entries[index];
    if (found === undefined || newestFirst(found, entry) !== 0) return false;
    this.#entries.splice(index, 1);
    return true;
  }

  page(beside: Entry<RowId> | null, direction: 'forward' | 'backward', limit: number): ExpectedPage<RowId> {
    if (direction === 'forward') {
      const start = beside === null ? 0 : this.#indexAfter(beside);
      return {
        entries: this.#entries.slice(start, start + limit),
        hasMore: this.#entries.length > start + limit,
      };
    }
    const end = beside === null ? this.#entries.length : this.#indexOf(beside);
    return { entries: this.#entries.slice(Math.max(0, end - limit), end), hasMore: end > limit };
  }

  /** Where the entry is, or would be. */
  #indexOf(entry: Entry<RowId>): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (newestFirst(this.#entries[middle] as Entry<RowId>, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #indexAfter(entry: Entry<RowId>): number {
    const index = this.#indexOf(entry);
    const found = this.#entries[index];
    return found !== undefined && newestFirst(found, entry) === 0 ? index + 1 : index;
  }
}

export function newestFirst<RowId extends bigint | string>(one: Entry<RowId>, other: Entry<RowId>): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}

export function keyOf<RowId extends bigint | string>({ createdAt, id }: Entry<RowId>): string {
  return `${createdAt}/${id}`;
}
