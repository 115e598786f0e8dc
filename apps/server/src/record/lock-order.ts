/** Rows of the record are locked class by class, within a class by id; after them cache tags, and the ledger's head last. */
export const lockClasses = ['reading group', 'item', 'story', 'edition'] as const;

export type LockClass = (typeof lockClasses)[number];

/**
 * What a transaction has locked. Rows that come later in the order may be waited for: whoever holds them waits only
 * for rows later still, so no circle can form. Rows that come earlier are taken only if they are free.
 */
export class LockOrder {
  #held: ReadonlySet<string> = new Set();
  #last: readonly [number, string] = [-1, ''];

  /**
   * Records that these are being locked; answers whether they may be waited for. A row held only against changes is
   * not held for changing it: two that both wait for that would wait for each other.
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

  /** For a savepoint: undoing to it gives back the locks taken since. */
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
  /** Fail at once where another transaction holds one of the rows. */
  readonly noWait: boolean;
}
