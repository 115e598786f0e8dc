import type { Item } from '../generated/news-api.ts';
import type { CopyMoment, MirrorStore } from './mirror-store.ts';
import { changedHash, emptyHash, itemDigest } from './set-hash.ts';

export interface Verification {
  /** Every item matches its digest, and all of them the size and hash that the server confirmed. */
  readonly ok: boolean;
  readonly size: number;
  /** Items that do not match the digest they had on arrival. */
  readonly differing: readonly string[];
  /** When the server last confirmed the copy; null where it never did. */
  readonly exactAt: number | null;
}

/** Recomputes all digests from the stored items. */
export function verify(store: MirrorStore): Promise<Verification> {
  return store.read(verifyCopy);
}

async function verifyCopy({ progress, items }: CopyMoment): Promise<Verification> {
  const differing: string[] = [];
  let size = 0;
  let hash = emptyHash;
  for await (const { item, digest } of items) {
    if ((await digestOrNull(item)) !== digest) differing.push(item.id);
    hash = changedHash(hash, [digest], []);
    size += 1;
  }
  const isWhole = progress !== null && progress.size === size && progress.hash === hash;
  return { ok: isWhole && differing.length === 0, size, differing, exactAt: progress?.exactAt ?? null };
}

/** Null for a damaged item. */
async function digestOrNull(item: Item): Promise<string | null> {
  try {
    return await itemDigest(item);
  } catch {
    return null;
  }
}
