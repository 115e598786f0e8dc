import type { NewsClient } from '../client.ts';
import { intactProgress, isSealed, sumOf } from './copy-check.ts';
import { isOutdated, isSame, latestOf, rareLimit, required } from './follow.ts';
import type { CopyProgress, MirrorStore } from './mirror-store.ts';
import { changedHash } from './set-hash.ts';

export interface Verification {
  /** Every item is as it arrived, and all of them are the set whose size and hash the server confirmed. */
  readonly ok: boolean;
  readonly size: number;
  /** Items that do not match the digest or seal they had on arrival. */
  readonly differing: readonly string[];
  /** When the server last confirmed the copy; null where it never did. */
  readonly exactAt: number | null;
  /** When all stored items were last hashed again and equal to the server's set; null where they never were. */
  readonly verifiedAt: number | null;
}

/** Computes all digests and seals of the stored items again. */
export function verify(store: MirrorStore): Promise<Verification> {
  return store.read(async ({ progress, items }) => {
    const { size, hash, differing } = await sumOf(items);
    const isWhole =
      progress !== null && (await isSealed(progress)) && progress.size === size && progress.hash === hash;
    return {
      ok: isWhole && differing.length === 0,
      size,
      differing,
      exactAt: progress?.exactAt ?? null,
      verifiedAt: progress?.verifiedAt ?? null,
    };
  });
}

export interface OnlineVerification extends Verification {
  /** How many items have changed at the server since the copy was updated; null where the server does not know its cursor. */
  readonly behind: number | null;
  /** The copy with these changes is the set that the server describes. */
  readonly isServersSet: boolean;
}

/**
 * The same, and asks the server which changes are missing and for the hash of the set after them. Stores nothing.
 * `server`: as the option of `follow`.
 */
export async function verifyOnline(
  store: MirrorStore,
  client: NewsClient,
  { server = client.baseUrl }: { readonly server?: string } = {},
): Promise<OnlineVerification> {
  await intactProgress(store, 'current', server);
  const local = await verify(store);
  const progress = await store.progress('current');
  if (progress === null) return { ...local, behind: null, isServersSet: false };
  return { ...local, ...(await compareWithServer(store, client, progress)) };
}

async function compareWithServer(
  store: MirrorStore,
  client: NewsClient,
  progress: CopyProgress,
): Promise<Pick<OnlineVerification, 'behind' | 'isServersSet'>> {
  const known = new Map<string, readonly string[]>();
  let { size, hash } = progress;
  const start = { cursor: progress.cursor, limit: rareLimit(100) };
  for await (const answer of client.pages('listSelectedChanges', start)) {
    if (isOutdated(answer)) break;
    const { changes, set } = required(answer).data;
    const { put, remove } = await latestOf(changes);
    const digests = [
      ...put.map(({ item, digest }) => [item.id, [digest]] as const),
      ...remove.map((id) => [id, []] as const),
    ];
    for (const [id, after] of digests) {
      const held = await store.get(id);
      const before = known.get(id) ?? (held === null ? [] : [held.digest]);
      known.set(id, after);
      size += after.length - before.length;
      hash = changedHash(hash, after, before);
    }
    if (set !== undefined) return { behind: known.size, isServersSet: isSame(set, { size, hash }) };
  }
  return { behind: null, isServersSet: false };
}
