/** What is known of one topic: `changed` makes copies stale, `purged` forbids them. Compared, never ordered. */
export interface TopicVersion {
  readonly changed: bigint;
  readonly purged: bigint;
}

const never: TopicVersion = { changed: 0n, purged: 0n };

/** The last known versions. Shared by the watcher, which writes, and the cache, which compares. */
export class TopicVersions {
  // Holds what the database holds and nothing that a caller asked for, or callers could make it grow.
  #topics = new Map<string, TopicVersion>();
  /** The database did not answer the last poll: what is held is all there is. */
  away = true;

  of(topic: string): TopicVersion {
    return this.#topics.get(topic) ?? never;
  }

  /** A database restored to an earlier point can show smaller numbers or none; any difference counts. */
  update(rows: readonly ({ readonly topic: string } & TopicVersion)[]): void {
    this.#topics = new Map(rows.map(({ topic, changed, purged }) => [topic, { changed, purged }]));
    this.away = false;
  }
}
