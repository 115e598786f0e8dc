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

/** The last known versions. Shared by the watcher, which writes, and the cache, which compares. */
export class CacheTagVersions {
  // Contains only tags from the database and none from requests, or callers could make it grow.
  #versions = new Map<string, CacheTagVersion>();
  /** The database did not answer the last poll: only cached copies are available. */
  databaseUnreachable = true;

  of(tag: string): CacheTagVersion {
    return this.#versions.get(tag) ?? never;
  }

  /** A database restored to an earlier point can show smaller numbers or none; any difference counts. */
  update(rows: readonly CacheTagVersionRow[]): void {
    this.#versions = new Map(rows.map(({ tag, changed, purged }) => [tag, { changed, purged }]));
    this.databaseUnreachable = false;
  }
}
