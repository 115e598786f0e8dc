import type { Item } from '../generated/news-api.ts';
import type { CopyName, CopyProgress, MirroredItem, MirrorStore } from './mirror-store.ts';
import { canonicalForm, changedHash, emptyHash, hashTexts } from './set-hash.ts';

/** The items as they are to be stored. */
export async function mirrored(items: readonly Item[]): Promise<readonly MirroredItem[]> {
  const digests = await hashTexts(items.map(canonicalForm));
  const seals = await hashTexts(items.map((item) => JSON.stringify(item)));
  return items.map((item, at) => ({ item, digest: digests[at] ?? '', seal: seals[at] ?? '' }));
}

/** Which stored items are still those that arrived. */
async function areIntact(stored: readonly MirroredItem[]): Promise<readonly boolean[]> {
  const digests = await hashTexts(stored.map(({ item }) => formOrEmpty(item)));
  const seals = await hashTexts(stored.map(({ item }) => JSON.stringify(item)));
  return stored.map(({ digest, seal }, at) => digests[at] === digest && seals[at] === seal);
}

/** Empty for a damaged item. */
function formOrEmpty(item: Item): string {
  try {
    return canonicalForm(item);
  } catch {
    return '';
  }
}

export interface CheckedItem {
  readonly held: MirroredItem;
  readonly isIntact: boolean;
}

/** Of items that are hashed together. */
const batchSize = 500;

/** Computes digest and seal of each stored item again. */
export async function* checkedItems(
  items: AsyncIterable<MirroredItem>,
): AsyncGenerator<readonly CheckedItem[]> {
  for await (const stored of inBatches(items)) {
    const intact = await areIntact(stored);
    yield stored.map((held, at) => ({ held, isIntact: intact[at] === true }));
  }
}

export async function* inBatches<T>(values: AsyncIterable<T>): AsyncGenerator<readonly T[], undefined> {
  let batch: T[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export interface CopySum {
  readonly size: number;
  readonly hash: string;
  /** Items that are not what arrived. */
  readonly differing: readonly string[];
}

/** Size and hash of the stored items, from the items themselves. */
export async function sumOf(items: AsyncIterable<MirroredItem>): Promise<CopySum> {
  const differing: string[] = [];
  let size = 0;
  let hash = emptyHash;
  for await (const batch of checkedItems(items)) {
    for (const { held, isIntact } of batch) if (!isIntact) differing.push(held.item.id);
    hash = changedHash(
      hash,
      batch.map(({ held }) => held.digest),
    );
    size += batch.length;
  }
  return { size, hash, differing };
}

/** With the seal of its values. */
export async function sealed(progress: Omit<CopyProgress, 'seal'>): Promise<CopyProgress> {
  return { ...progress, seal: await sealOf(progress) };
}

/** Two hashes: of all values, and of the server, which tells a damaged copy of this server from that of another. */
async function sealOf(progress: Omit<CopyProgress, 'seal'>): Promise<string> {
  const { cursor, nextPage, size, hash, exactAt, verifiedAt, server, isUnfinished } = progress;
  const values = [cursor, nextPage, size, hash, exactAt, verifiedAt, server, isUnfinished === true];
  return (await hashTexts([JSON.stringify(values), server])).join('');
}

/** The copy belongs to another server. Use another file for this one. */
export class MirrorServerError extends Error {}

/**
 * The progress of a copy of this server; null where there is none, or where it is not as it was saved. A copy of another
 * server is refused also where its progress is damaged: a repair would replace it.
 */
export async function intactProgress(
  store: MirrorStore,
  copy: CopyName,
  server: string,
): Promise<CopyProgress | null> {
  const progress = await store.progress(copy);
  if (progress === null) return null;
  const expected = await sealOf(progress);
  const isOwner = expected.slice(64) === progress.seal.slice(64);
  if (isOwner && progress.server !== server)
    throw new MirrorServerError(`this mirror belongs to ${progress.server}; use another file for ${server}`);
  return expected === progress.seal ? progress : null;
}

export async function isSealed(progress: CopyProgress): Promise<boolean> {
  return (await sealOf(progress)) === progress.seal;
}
