import type { Answer, NotFound } from '../answer.ts';
import type { NewsClient } from '../client.ts';
import type { BucketsResponse, Item, SnapshotResponse } from '../generated/news-api.ts';
import { checkedItems, mirrored, sealed } from './copy-check.ts';
import type { MirroredItem, MirrorStore } from './mirror-store.ts';
import { changedHash, emptyHash } from './set-hash.ts';

export interface RepairDeps {
  readonly client: NewsClient;
  readonly store: MirrorStore;
  readonly server: string;
  readonly signal: AbortSignal;
}

export type RepairOutcome =
  /** The next copy is complete up to its cursor; changes follow. */
  | { readonly kind: 'built'; readonly ranges: number; readonly items: number }
  | { readonly kind: 'refused'; readonly answer: NotFound };

/** Consecutive ids of which the copy differs from the server's set. */
interface Run {
  readonly page: string;
  readonly after: string;
  /** The last id of the run; null where it has no end. */
  readonly upTo: string | null;
  readonly size: number;
}

const pageMax = 1000;

/**
 * Builds the next copy: of the stored items whose ranges have the size and sum that the server states, and of pages
 * of the snapshot for the others. Readers see the current copy until the next one is exact.
 */
export async function buildRepairedCopy(deps: RepairDeps): Promise<RepairOutcome> {
  const { client, store, signal } = deps;
  const answer = await client.getSelectedBuckets({}, { signal, keep: false });
  if (!answer.ok) return { kind: 'refused', answer };
  const { data } = answer;
  const differs = await differingRanges(store, data.buckets);
  const writer = new NextCopy(deps, data.cursor);
  await store.dropNext();
  for await (const batch of checkedItems(store.scan('current'))) {
    const good = batch.filter(
      ({ held, isIntact }) => isIntact && differs[placeOf(data.buckets, held.item.id)] !== true,
    );
    await writer.add(good.map(({ held }) => held));
  }
  let items = 0;
  for (const run of runsOf(data.buckets, differs)) {
    const read = await readRun(deps, run, (found) => writer.add(found));
    if (typeof read !== 'number') return { kind: 'refused', answer: read };
    items += read;
  }
  await writer.finish();
  return { kind: 'built', ranges: differs.filter(Boolean).length, items };
}

/** By place: whether a range has another size or sum, or a damaged item. */
async function differingRanges(
  store: MirrorStore,
  buckets: BucketsResponse['buckets'],
): Promise<readonly boolean[]> {
  const found = buckets.map(() => ({ size: 0, sum: 0n, isDamaged: false }));
  for await (const batch of checkedItems(store.scan('current'))) {
    for (const { held, isIntact } of batch) {
      const range = found[placeOf(buckets, held.item.id)];
      if (range === undefined) continue;
      range.size += 1;
      if (isIntact) range.sum += BigInt(`0x${held.digest}`);
      else range.isDamaged = true;
    }
  }
  return found.map(({ size, sum, isDamaged }, at) => {
    const said = buckets[at];
    const hash = changedHash(sum.toString(16), []);
    return isDamaged || size !== said?.size || hash !== said.hash;
  });
}

/** The place of the last range that begins before an id. */
function placeOf(buckets: BucketsResponse['buckets'], id: string): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((buckets[middle]?.after ?? '') < id) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Neighbouring ranges are read together. */
function runsOf(buckets: BucketsResponse['buckets'], differs: readonly boolean[]): readonly Run[] {
  const runs: Run[] = [];
  let open: Run | null = null;
  buckets.forEach(({ page, after, size }, at) => {
    if (differs[at] !== true) {
      open = null;
      return;
    }
    const upTo = buckets[at + 1]?.after ?? null;
    if (open !== null) runs.pop();
    open = open === null ? { page, after, upTo, size } : { ...open, upTo, size: open.size + size };
    runs.push(open);
  });
  return runs.filter(({ size }) => size > 0);
}

/**
 * Reads the items of a run until one behind it, and how many. An item that was added since the sums were made is also
 * among the changes after their cursor, so that reading ends at twice the run at the latest.
 */
async function readRun(
  { client, signal }: RepairDeps,
  { page, after, upTo, size }: Run,
  add: (items: readonly MirroredItem[]) => Promise<void>,
): Promise<number | NotFound> {
  const limit = Math.min(size + 1, pageMax);
  let read = 0;
  for (let next: string | null = page; next !== null && read <= 2 * size;) {
    const answer: Answer<SnapshotResponse> = await client.getSelectedSnapshot(
      { limit, page: next },
      { signal, keep: false },
    );
    if (!answer.ok) return answer;
    const { items, nextPage } = answer.data;
    const isInside = ({ id }: Item): boolean => id > after && (upTo === null || id <= upTo);
    await add(await mirrored(items.filter(isInside)));
    read += items.length;
    const last = items.at(-1);
    next = last === undefined || (upTo !== null && last.id > upTo) ? null : nextPage;
  }
  return read;
}

/** Writes the next copy page by page, unfinished until the last one. */
class NextCopy {
  readonly #deps: RepairDeps;
  readonly #cursor: string;
  #size = 0;
  #hash = emptyHash;

  constructor(deps: RepairDeps, cursor: string) {
    this.#deps = deps;
    this.#cursor = cursor;
  }

  async add(put: readonly MirroredItem[]): Promise<void> {
    if (put.length === 0) return;
    this.#size += put.length;
    this.#hash = changedHash(
      this.#hash,
      put.map(({ digest }) => digest),
    );
    await this.#apply(put, true);
  }

  finish(): Promise<void> {
    return this.#apply([], false);
  }

  async #apply(put: readonly MirroredItem[], isUnfinished: boolean): Promise<void> {
    const { store, server } = this.#deps;
    const progress = await sealed({
      cursor: this.#cursor,
      nextPage: null,
      size: this.#size,
      hash: this.#hash,
      exactAt: null,
      verifiedAt: null,
      server,
      ...(isUnfinished && { isUnfinished }),
    });
    await store.apply({ copy: 'next', put, remove: [], progress });
  }
}
