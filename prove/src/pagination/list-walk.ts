import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { Entry } from './list-model.ts';
import { ListModel, keyOf, newestFirst } from './list-model.ts';
import type { ListTable } from './list-table.ts';

export interface WalkTally {
  pages: number;
  inserted: number;
  removed: number;
  /** Pages that differed from the model, row for row. */
  wrongPages: number;
  /** Rows present all along that a walk did not show. */
  skipped: number;
  repeated: number;
  outOfOrder: number;
  stayed: number;
}

/** A list under change: whatever happens to the table happens to the model. */
export class LivingList<RowId extends bigint | string> {
  readonly table: ListTable<RowId>;
  readonly model: ListModel<RowId>;
  readonly tally: WalkTally;
  readonly #random: () => number;
  readonly #firstInstant: bigint;
  readonly #instants: number;
  /** Rows that existed when the walk began and still exist. */
  #staying = new Set<string>();

  private constructor(table: ListTable<RowId>, rows: number, random: () => number, tally: WalkTally) {
    this.table = table;
    this.tally = tally;
    this.#random = random;
    this.#firstInstant = 1_794_700_800_000_000n;
    // Forty rows to a microsecond, and no microsecond between: what rounds to milliseconds falls apart.
    this.#instants = Math.ceil(rows / 40);
    this.model = new ListModel(Array.from({ length: rows }, () => this.#newEntry()));
  }

  static async grow<RowId extends bigint | string>(
    table: ListTable<RowId>,
    rows: number,
    random: () => number,
    tally: WalkTally,
  ): Promise<LivingList<RowId>> {
    const grown = new LivingList(table, rows, random, tally);
    await table.insert(grown.model.page(null, 'forward', rows).entries);
    return grown;
  }

  #newEntry(createdAt?: Entry<RowId>['createdAt']): Entry<RowId> {
    const at = this.#firstInstant + BigInt(Math.floor(this.#random() * this.#instants));
    return { createdAt: createdAt ?? epochMicroseconds(at), id: this.table.nextId() };
  }

  /** Rows are added and removed anywhere, also at the microsecond of the reader's row, and that row too. */
  async change(beside: Entry<RowId> | null): Promise<void> {
    const some = (): number => Math.floor(this.#random() * 8);
    const inserted = Array.from({ length: some() }, () =>
      this.#newEntry(beside !== null && this.#random() < 0.5 ? beside.createdAt : undefined),
    );
    const anywhere = Array.from({ length: some() }, () =>
      this.model.at(Math.floor(this.#random() * this.model.size)),
    );
    const chosen = [...anywhere, this.#random() < 0.4 ? (beside ?? undefined) : undefined];
    const removed = chosen.filter(
      (entry) => entry !== undefined && this.model.remove(entry),
    ) as Entry<RowId>[];
    for (const entry of inserted) this.model.insert(entry);
    for (const entry of removed) this.#staying.delete(keyOf(entry));
    if (removed.length > 0) await this.table.remove(removed);
    if (inserted.length > 0) await this.table.insert(inserted);
    this.tally.inserted += inserted.length;
    this.tally.removed += removed.length;
  }

  /** One page from the table, compared with the model. */
  async turn(cursor: string | null, beside: Entry<RowId> | null, direction: 'forward' | 'backward') {
    const limit = 1 + Math.floor((1 - this.#random() ** 2) * 100);
    const { data, pagination } = await this.table.page({
      limit,
      direction,
      ...(cursor === null ? {} : { cursor }),
    });
    const expected = this.model.page(beside, direction, limit);
    const right =
      data.map(keyOf).join() === expected.entries.map(keyOf).join() &&
      pagination.hasMore === expected.hasMore &&
      (data.length === 0) === (pagination.nextCursor === null) &&
      (data.length === 0) === (pagination.prevCursor === null);
    this.tally.pages += 1;
    if (!right) this.tally.wrongPages += 1;
    return { data, pagination };
  }

  /** From one edge to the other, with changes between pages. */
  async walk(direction: 'forward' | 'backward'): Promise<void> {
    this.#staying = this.model.keys();
    const shown: Entry<RowId>[] = [];
    let cursor: string | null = null;
    let beside: Entry<RowId> | null = null;
    for (;;) {
      const page = await this.turn(cursor, beside, direction);
      shown.push(...(direction === 'forward' ? page.data : page.data.toReversed()));
      if (page.data.length === 0) break;
      cursor = direction === 'forward' ? page.pagination.nextCursor : page.pagination.prevCursor;
      beside = shown.at(-1) ?? null;
      await this.change(beside);
    }
    this.#judge(direction === 'forward' ? shown : shown.reverse());
  }

  #judge(shown: readonly Entry<RowId>[]): void {
    const seen = new Set(shown.map(keyOf));
    this.tally.stayed += this.#staying.size;
    this.tally.skipped += [...this.#staying].filter((key) => !seen.has(key)).length;
    this.tally.repeated += shown.length - seen.size;
    this.tally.outOfOrder += shown.filter((entry, index) => {
      const next = shown[index + 1];
      return next !== undefined && newestFirst(entry, next) > 0;
    }).length;
  }

  /** A reader who keeps changing their mind, with either cursor of the last page in either direction. */
  async wander(turns: number): Promise<void> {
    let cursor: string | null = null;
    let beside: Entry<RowId> | null = null;
    for (let turn = 0; turn < turns; turn += 1) {
      const direction = this.#random() < 0.5 ? 'forward' : 'backward';
      const { data, pagination } = await this.turn(cursor, beside, direction);
      const after = this.#random() < 0.5;
      cursor = after ? pagination.nextCursor : pagination.prevCursor;
      beside = (after ? data.at(-1) : data[0]) ?? null;
      await this.change(beside);
    }
  }
}
