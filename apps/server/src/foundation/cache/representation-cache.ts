import { Representation } from './representation.ts';
import type { BuiltBody } from './representation.ts';
import type { TopicVersion, TopicVersions } from './topic-versions.ts';

export interface Resource {
  /** One key, one body: the address with its parameters in canonical order. */
  readonly key: string;
  /** What it is made of; a purge of any of these forbids held copies. */
  readonly topics: readonly string[];
  readonly build: () => Promise<BuiltBody>;
}

export interface RepresentationCacheOptions {
  readonly versions: TopicVersions;
  readonly nowMs: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** A copy is rebuilt at least this often, because windows roll even when nothing is published. */
  readonly freshForMs: number;
  /** A stale copy is rebuilt at most this often, however fast publishing goes on. */
  readonly rebuildEveryMs: number;
  /** How long a caller waits for a rebuild before it gets the stale copy. */
  readonly staleWaitMs: number;
  readonly onBuildError: (key: string, error: unknown) => void;
}

interface Entry {
  readonly representation: Representation;
  readonly builtAtMs: number;
  readonly topics: readonly HeldTopic[];
  /** Asked for since it was last considered for dropping. */
  used: boolean;
}

interface HeldTopic {
  readonly current: TopicVersion;
  readonly changed: bigint;
  readonly purged: bigint;
}

export interface CacheCounts {
  hits: number;
  staleHits: number;
  builds: number;
  failedBuilds: number;
  entries: number;
  bytes: number;
}

const rebuildsAfterPurgeMax = 5;

/**
 * Keeps finished answers. At most one build per resource runs at a time; a copy that was purged is never served,
 * not even by a build that began before the purge; while the database is away whatever is held is served.
 */
export class RepresentationCache {
  readonly counts: CacheCounts = { hits: 0, staleHits: 0, builds: 0, failedBuilds: 0, entries: 0, bytes: 0 };
  // Oldest first. One that was used gets a second chance at the end, so a hit need not reorder the map.
  readonly #entries = new Map<string, Entry>();
  readonly #building = new Map<string, Promise<Representation>>();
  readonly #options: RepresentationCacheOptions;

  constructor(options: RepresentationCacheOptions) {
    this.#options = options;
  }

  /** Synchronous when a good copy is held, so that the common case costs no promise. */
  get(resource: Resource): Representation | Promise<Representation> {
    const entry = this.#entries.get(resource.key);
    if (entry === undefined || wasPurged(entry)) return this.#build(resource);
    if (this.#isFresh(entry)) {
      this.counts.hits += 1;
      entry.used = true;
      return entry.representation;
    }
    return this.#rebuild(resource, entry);
  }

  /** Drops what may no longer be shown, so that it does not linger in memory either. */
  dropPurged(): void {
    for (const [key, entry] of this.#entries) {
      if (wasPurged(entry)) this.#drop(key, entry);
    }
  }

  #isFresh(entry: Entry): boolean {
    if (this.#options.versions.away) return true;
    const age = this.#options.nowMs() - entry.builtAtMs;
    if (age >= this.#options.freshForMs) return false;
    return age < this.#options.rebuildEveryMs || !wasChanged(entry);
  }

  async #rebuild(resource: Resource, stale: Entry): Promise<Representation> {
    const { promise: waited, resolve } = Promise.withResolvers<'waited'>();
    const timer = setTimeout(resolve, this.#options.staleWaitMs, 'waited' as const);
    try {
      const outcome = await Promise.race([this.#build(resource), waited]);
      if (outcome !== 'waited') return outcome;
    } catch {
      // Reported where it was raised; a copy that was right a minute ago is better than an error.
    } finally {
      clearTimeout(timer);
    }
    if (wasPurged(stale)) return this.#build(resource);
    this.counts.staleHits += 1;
    return stale.representation;
  }

  #build(resource: Resource): Promise<Representation> {
    const running = this.#building.get(resource.key);
    if (running !== undefined) return running;
    const building = this.#buildUntilCurrent(resource).finally(() => this.#building.delete(resource.key));
    // A caller that stopped waiting must not turn a failure into an unhandled rejection.
    building.catch(() => {});
    this.#building.set(resource.key, building);
    return building;
  }

  async #buildUntilCurrent(resource: Resource): Promise<Representation> {
    for (let attempt = 1; ; attempt += 1) {
      const topics = resource.topics.map((topic) => {
        const current = this.#options.versions.of(topic);
        return { current, changed: current.changed, purged: current.purged };
      });
      const builtAtMs = this.#options.nowMs();
      try {
        this.counts.builds += 1;
        const representation = new Representation(await resource.build());
        const entry: Entry = { representation, builtAtMs, topics, used: false };
        if (!wasPurged(entry)) {
          this.#keep(resource.key, entry);
          return representation;
        }
        if (attempt >= rebuildsAfterPurgeMax) return representation;
      } catch (error) {
        this.counts.failedBuilds += 1;
        this.#options.onBuildError(resource.key, error);
        throw error;
      }
    }
  }

  #keep(key: string, entry: Entry): void {
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    this.#add(key, entry);
    for (const [oldest, oldEntry] of this.#entries) {
      if (this.#entries.size <= this.#options.entriesMax && this.counts.bytes <= this.#options.bytesMax)
        break;
      this.#drop(oldest, oldEntry);
      if (oldEntry.used && oldEntry !== entry) this.#add(oldest, { ...oldEntry, used: false });
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.counts.entries = this.#entries.size;
    this.counts.bytes += heldBytes(entry);
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.counts.entries = this.#entries.size;
    this.counts.bytes -= heldBytes(entry);
  }
}

function wasPurged(entry: Entry): boolean {
  for (const topic of entry.topics) if (topic.purged !== topic.current.purged) return true;
  return false;
}

function wasChanged(entry: Entry): boolean {
  for (const topic of entry.topics) if (topic.changed !== topic.current.changed) return true;
  return false;
}

/** Room for both compressed forms is counted in from the start, so that the bound holds whatever is asked for later. */
function heldBytes(entry: Entry): number {
  return entry.representation.identity.length * 2 + 1_024;
}
