/** Below one second with room for a slow request: an ended or changed credential stays valid for at most a second. */
export const foundOnlyAgeMaxMs = 900;

interface Entry<Value> {
  /** The time before the query: a later change cannot be older than this. */
  readonly askedAtMs: number;
  readonly answer: Promise<Value | null>;
  /** Set once the query has returned. */
  value: Value | null;
  ids: readonly string[];
}

export interface FoundOnlyCacheOptions<Value> {
  /** Monotonic. */
  readonly elapsedMs: () => number;
  /** The ids that notifications use for it. */
  readonly idsOf: (value: Value) => readonly string[];
  readonly entriesMax?: number;
}

/** Caches only found values: a new credential works at once; an ended or reduced one stops working soon. */
export class FoundOnlyCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #keysOfId = new Map<string, Set<string>>();
  readonly #options: FoundOnlyCacheOptions<Value>;

  constructor(options: FoundOnlyCacheOptions<Value>) {
    this.#options = options;
  }

  /** Null where the value must be queried. */
  held(key: string): Value | null {
    const held = this.#entries.get(key);
    return held !== undefined && this.#isYoung(held, this.#options.elapsedMs()) ? held.value : null;
  }

  /** Concurrent lookups of the same key share one query. */
  get(key: string, find: () => Promise<Value | null>): Promise<Value | null> {
    const held = this.#entries.get(key);
    const nowMs = this.#options.elapsedMs();
    if (held !== undefined && this.#isYoung(held, nowMs)) return held.answer;
    if (held !== undefined) this.#remove(key, held);
    const entry: Entry<Value> = { askedAtMs: nowMs, answer: find(), value: null, ids: [] };
    this.#makeRoom();
    this.#entries.set(key, entry);
    entry.answer.then(
      (value) => (value === null ? this.#remove(key, entry) : this.#index(key, entry, value)),
      () => this.#remove(key, entry),
    );
    return entry.answer;
  }

  /** The row with this id has changed; null where the id is unknown. */
  drop(id: string | null): void {
    if (id === null) {
      this.#entries.clear();
      this.#keysOfId.clear();
      return;
    }
    for (const key of this.#keysOfId.get(id) ?? []) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#remove(key, entry);
    }
    // Queries in flight may have read the old row, so their results must not be cached.
    for (const [key, entry] of this.#entries) if (entry.ids.length === 0) this.#remove(key, entry);
  }

  #isYoung({ askedAtMs }: Entry<Value>, nowMs: number): boolean {
    return nowMs - askedAtMs < foundOnlyAgeMaxMs;
  }

  #index(key: string, entry: Entry<Value>, value: Value): void {
    if (this.#entries.get(key) !== entry) return;
    entry.value = value;
    entry.ids = this.#options.idsOf(value);
    for (const id of entry.ids) {
      const keys = this.#keysOfId.get(id) ?? new Set();
      this.#keysOfId.set(id, keys.add(key));
    }
  }

  #remove(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    for (const id of entry.ids) {
      const keys = this.#keysOfId.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOfId.delete(id);
    }
  }

  #makeRoom(): void {
    if (this.#entries.size < (this.#options.entriesMax ?? 20_000)) return;
    const [oldest] = this.#entries;
    if (oldest !== undefined) this.#remove(...oldest);
  }
}
