/** What is known of one topic: `changed` makes copies stale, `purged` forbids them. Compared, never ordered. */
export interface TopicVersion {
  changed: bigint;
  purged: bigint;
}

/** The last known versions. Shared by the watcher, which writes, and the cache, which compares. */
export class TopicVersions {
  readonly #topics = new Map<string, TopicVersion>();
  /** The database did not answer the last poll: what is held is all there is. */
  away = true;

  /** A live object: its fields change as polls come in. */
  of(topic: string): TopicVersion {
    let version = this.#topics.get(topic);
    if (version === undefined) {
      version = { changed: 0n, purged: 0n };
      this.#topics.set(topic, version);
    }
    return version;
  }

  /** A database restored to an earlier point can show smaller numbers; any difference counts. */
  update(
    rows: readonly { readonly topic: string; readonly changed: bigint; readonly purged: bigint }[],
  ): void {
    for (const row of rows) {
      const version = this.of(row.topic);
      version.changed = row.changed;
      version.purged = row.purged;
    }
    this.away = false;
  }
}
