import type { Item } from '../generated/news-api.ts';

/** An item as the mirror keeps it: with every field the server sent, and the digest it came to when it arrived. */
export interface MirroredItem {
  readonly item: Item;
  /** SHA-256 of its canonical form, in hex. */
  readonly digest: string;
}

/** How far a copy has come. Saved in the same step as the items it speaks of. */
export interface CopyProgress {
  /** Of the ledger: where changes go on. */
  readonly cursor: string;
  /** The next page of a snapshot that is not wholly read; null once it is. */
  readonly nextPage: string | null;
  readonly size: number;
  /** Sum of the digests modulo 2^256, in hex. */
  readonly hash: string;
  /** When the server last said that the copy is exact, in milliseconds since 1970; null before. */
  readonly exactAt: number | null;
}

/** The copy that readers see, or the new one that is made beside it. */
export type CopyName = 'current' | 'next';

export interface CopyStep {
  readonly copy: CopyName;
  readonly put: readonly MirroredItem[];
  readonly remove: readonly string[];
  readonly progress: CopyProgress;
}

/** A copy as it was at one moment. */
export interface CopyMoment {
  readonly progress: CopyProgress | null;
  /** All of them, in no order. */
  readonly items: AsyncIterable<MirroredItem>;
}

/**
 * Where a mirror keeps its copies. Each step is kept wholly or not at all, whenever the process is killed; readers see
 * the current copy alone.
 */
export interface MirrorStore {
  readonly progress: (copy: CopyName) => Promise<CopyProgress | null>;
  /** The digests of those of these items that a copy holds. */
  readonly digests: (copy: CopyName, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly apply: (step: CopyStep) => Promise<void>;
  /** Forgets the next copy. */
  readonly dropNext: () => Promise<void>;
  /** The next copy becomes the current one, in one step; the former is gone. */
  readonly swap: () => Promise<void>;
  /** The current copy as it is at this moment, to be read while `work` goes on: what changes meanwhile is not in it. */
  readonly read: <T>(work: (copy: CopyMoment) => Promise<T>) => Promise<T>;
  readonly get: (id: string) => Promise<MirroredItem | null>;
  readonly close: () => Promise<void>;
}
