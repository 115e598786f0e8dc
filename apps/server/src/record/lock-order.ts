/** Rows of the record are locked class by class, within a class by id; after them cache tags, and the ledger's head last. */
export const lockClasses = ['reading group', 'item', 'story', 'edition'] as const;

export type LockClass = (typeof lockClasses)[number];

/**
 * The locks of a transaction. It may wait for rows later in the order: their holder waits only for rows later
 * still, so no cycle can form. Rows earlier in the order are locked only if they are free.
 */
export class LockOrder {
  #held: ReadonlySet<string> = new Set();
  #last: readonly [number, string] = [-1, ''];

  /**
   * Records locks; returns whether the transaction may wait for them. A shared lock does not count as an exclusive
   * lock: two transactions that both upgraded it would wait for each other.
   */
  take(
    lockClass: LockClass,
    ids: readonly string[],
    mode: 'change' | 'share' = 'change',
  ): { readonly mayWait: boolean } {
    const place = lockClasses.indexOf(lockClass);
    const keyOf = (id: string, held: typeof mode): string => `${held} ${lockClass} ${id}`;
    const isHeld = (id: string): boolean =>
      this.#held.has(keyOf(id, 'change')) || (mode === 'share' && this.#held.has(keyOf(id, 'share')));
    const added = ids.filter((id) => !isHeld(id)).sort();
    const [first, last] = [added[0], added.at(-1)];
    if (first === undefined || last === undefined) return { mayWait: true };
    const [lastPlace, lastId] = this.#last;
    const mayWait = place > lastPlace || (place === lastPlace && first > lastId);
    this.#held = new Set([...this.#held, ...added.map((id) => keyOf(id, mode))]);
    if (place > lastPlace || (place === lastPlace && last > lastId)) this.#last = [place, last];
    return { mayWait };
  }

  /** For a savepoint: rolling back to it releases the locks taken since. */
  mark(): LockMark {
    return { held: this.#held, last: this.#last };
  }

  resetTo({ held, last }: LockMark): void {
    this.#held = held;
    this.#last = last;
  }
}

export interface LockMark {
  readonly held: ReadonlySet<string>;
  readonly last: readonly [number, string];
}

export interface LockOptions {
  /** Fail at once if another transaction has locked one of the rows. */
  readonly noWait: boolean;
}
