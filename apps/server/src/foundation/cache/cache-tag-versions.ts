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

/** A process that did not run for longer has missed polls, and has requests that waited for it. */
const frozenAfterMs = 1_000;
/** Then copies are served as without a database, which is what a poll that hangs becomes. */
const pollAwaitedForMs = 1_000;

/** The last known versions. Shared by the watcher, which writes, and the cache, which compares. */
export class CacheTagVersions {
  // Contains only tags from the database and none from requests, or callers could make it grow.
  #versions = new Map<string, CacheTagVersion>();
  /** When the process last ran; infinite where no watcher polls. */
  #ranAtMs = Infinity;
  /** The versions say nothing about purges before a poll that was sent later than this is answered. */
  #resumedAtMs: number | null = null;
  #poll: PromiseWithResolvers<void> | null = null;
  /** The database did not answer the last poll: only cached copies are available. */
  databaseUnreachable = true;
  readonly #elapsedMs: () => number;

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  of(tag: string): CacheTagVersion {
    return this.#versions.get(tag) ?? never;
  }

  /** Called several times a second. Returns whether the process had been frozen: then a poll is urgent. */
  run(): boolean {
    const nowMs = this.#elapsedMs();
    const wasFrozen = nowMs - this.#ranAtMs > frozenAfterMs;
    if (wasFrozen) this.#resumedAtMs = nowMs;
    this.#ranAtMs = nowMs;
    return wasFrozen;
  }

  /** The process was frozen, and no poll has yet returned what was purged: `nextPoll` is awaited before a copy is served. */
  get outdated(): boolean {
    if (this.#elapsedMs() - this.#ranAtMs > frozenAfterMs) this.run();
    return this.#resumedAtMs !== null && !this.databaseUnreachable;
  }

  /** A database restored to an earlier point can show smaller numbers or none; any difference counts. */
  update(rows: readonly CacheTagVersionRow[], sentAtMs = this.#elapsedMs()): void {
    this.#versions = new Map(rows.map(({ tag, changed, purged }) => [tag, { changed, purged }]));
    this.databaseUnreachable = false;
    if (this.#resumedAtMs === null || sentAtMs >= this.#resumedAtMs) this.#endWait();
  }

  lose(): void {
    this.databaseUnreachable = true;
    this.#endWait();
  }

  /** Until a poll that was sent after the freeze has been answered or has failed. */
  nextPoll(): Promise<void> {
    if (this.#poll === null) {
      this.#poll = Promise.withResolvers<void>();
      const timer = setTimeout(() => this.#endWait(), pollAwaitedForMs);
      void this.#poll.promise.then(() => clearTimeout(timer));
    }
    return this.#poll.promise;
  }

  #endWait(): void {
    this.#resumedAtMs = null;
    this.#poll?.resolve();
    this.#poll = null;
  }
}
