/** The versions of one cache tag: `changed` makes copies stale, `purged` forbids them. Compared, never ordered. */
export interface CacheTagVersion {
  readonly changed: bigint;
  readonly purged: bigint;
}

export interface CacheTagVersionRow extends CacheTagVersion {
  readonly tag: string;
}

/** NOTIFY on this channel hastens the next poll of the versions; every writer of versions sends it. */
export const versionChannel = 'daybook_representation_version';

const never: CacheTagVersion = { changed: 0n, purged: 0n };

/** Versions that are older say nothing: the process was frozen, or too busy to poll. */
const currentForMs = 1_000;
/** Then the copies are served as without a database, which is what a poll that hangs becomes. */
const pollAwaitedForMs = 1_000;

/** The last known versions. Shared by the watcher, which writes, and the cache, which compares. */
export class CacheTagVersions {
  // Contains only tags from the database and none from requests, or callers could make it grow.
  #versions = new Map<string, CacheTagVersion>();
  /** When the last answered poll was sent; infinite where nobody polls, or a poll was awaited in vain. */
  #readAtMs = Infinity;
  #nextPoll: PromiseWithResolvers<void> | null = null;
  /** The database did not answer the last poll: only cached copies are available. */
  databaseUnreachable = true;

  of(tag: string): CacheTagVersion {
    return this.#versions.get(tag) ?? never;
  }

  /** Purges since may be unknown: `nextPoll` is awaited before a copy is served. */
  get outdated(): boolean {
    return performance.now() - this.#readAtMs > currentForMs && !this.databaseUnreachable;
  }

  /** A database restored to an earlier point can show smaller numbers or none; any difference counts. */
  update(rows: readonly CacheTagVersionRow[], readAtMs = Infinity): void {
    this.#versions = new Map(rows.map(({ tag, changed, purged }) => [tag, { changed, purged }]));
    this.databaseUnreachable = false;
    this.#readAtMs = readAtMs;
    this.#endWait();
  }

  lose(): void {
    this.databaseUnreachable = true;
    this.#endWait();
  }

  /** Until the next poll has been answered or has failed. */
  nextPoll(): Promise<void> {
    if (this.#nextPoll === null) {
      this.#nextPoll = Promise.withResolvers<void>();
      const giveUp = (): void => {
        this.#readAtMs = Infinity;
        this.#endWait();
      };
      const timer = setTimeout(giveUp, pollAwaitedForMs);
      void this.#nextPoll.promise.then(() => clearTimeout(timer));
    }
    return this.#nextPoll.promise;
  }

  #endWait(): void {
    this.#nextPoll?.resolve();
    this.#nextPoll = null;
  }
}
