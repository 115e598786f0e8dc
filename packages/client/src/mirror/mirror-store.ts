import type { Item } from '../generated/news-api.ts';

/** An item as the mirror stores it: with every field the server sent, and its digest on arrival. */
export interface MirroredItem {
  readonly item: Item;
  /** SHA-256 of its canonical form, in hex. */
  readonly digest: string;
  /** SHA-256 of the item as JSON, with the fields that the digest leaves out, in hex. */
  readonly seal: string;
}

/** The progress of a copy. Saved in the same step as its items. */
export interface CopyProgress {
  /** Position in the ledger from which to read the next changes. */
  readonly cursor: string;
  /** The next page of a snapshot that is not wholly read; null once it is. */
  readonly nextPage: string | null;
  readonly size: number;
  /** Sum of the digests modulo 2^256, in hex. */
  readonly hash: string;
  /** When the server last confirmed that the copy is exact, in milliseconds since 1970; null before. */
  readonly exactAt: number | null;
  /** When all stored items were last hashed again and equal to the server's set, in milliseconds since 1970. */
  readonly verifiedAt: number | null;
  /** The address of the server that the copy belongs to. */
  readonly server: string;
  /** True while a repair builds the copy: a process that finds it begins the repair again. */
  readonly isUnfinished?: boolean;
  /** SHA-256 of the values above, and SHA-256 of the server alone. */
  readonly seal: string;
}

/** The copy that readers see, or the new one that is built beside it. */
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
 * Stores the copies of a mirror. Each step is atomic, whenever the process is killed; readers see only the current
 * copy.
 */
export interface MirrorStore {
  readonly progress: (copy: CopyName) => Promise<CopyProgress | null>;
  /** The digests of those of these items that a copy contains. */
  readonly digests: (copy: CopyName, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * Every stored item of a copy, in no order, read as the caller goes on. An item that cannot be read is `{ id }` alone,
   * which no digest matches.
   */
  readonly scan: (copy: CopyName) => AsyncIterable<MirroredItem>;
  readonly apply: (step: CopyStep) => Promise<void>;
  /** Forgets the next copy. */
  readonly dropNext: () => Promise<void>;
  /** The next copy becomes the current one, in one step; the former is gone. */
  readonly swap: () => Promise<void>;
  /** A snapshot of the current copy, to be read while `work` runs: later changes are not in it. */
  readonly read: <T>(work: (copy: CopyMoment) => Promise<T>) => Promise<T>;
  readonly get: (id: string) => Promise<MirroredItem | null>;
  readonly close: () => Promise<void>;
}
