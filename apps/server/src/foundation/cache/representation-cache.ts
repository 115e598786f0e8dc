import { temporarilyUnavailable } from '../http/http-problems.ts';
import { ProblemError } from '../problem.ts';
import type { CacheTagVersion, CacheTagVersions } from './cache-tag-versions.ts';
import { CachedTargets } from './cached-targets.ts';
import { Representation } from './representation.ts';
import type { BuiltBody } from './representation.ts';

export interface Resource {
  /** One key, one body: the address with its parameters in canonical order. */
  readonly key: string;
  /** The tags it depends on; a purge of any of these forbids cached copies. */
  readonly cacheTags: readonly string[];
  /** Narrower tags for shared caches than for this process: of one item, story or edition. */
  readonly edgeTags?: readonly string[];
  readonly build: () => Promise<BuiltBody>;
  /** The request target alone selects the copy, so that the fast path can skip the router. */
  readonly byTarget?: boolean;
}

export interface RepresentationCacheOptions {
  readonly versions: CacheTagVersions;
  readonly nowMs: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** Maximum age of a copy, because time windows move even when nothing is published. */
  readonly freshForMs: number;
  /** Minimum interval between rebuilds of a stale copy, however often its tags change. */
  readonly rebuildEveryMs: number;
  /** How long a caller waits for a rebuild before it gets the stale copy. */
  readonly staleWaitMs: number;
  readonly onBuildError: (key: string, error: unknown) => void;
}

interface Entry {
  readonly representation: Representation;
  readonly builtAtMs: number;
  readonly cacheTags: readonly HeldTag[];
  /** Requested since its last eviction check. */
  used: boolean;
}

/** A tag and its version when the build began. */
interface HeldTag {
  readonly tag: string;
  readonly version: CacheTagVersion;
}

interface Build {
  readonly promise: Promise<Representation>;
  readonly startedAtMs: number;
}

export interface CacheCounts {
  hits: number;
  staleHits: number;
  builds: number;
  failedBuilds: number;
  entries: number;
  bytes: number;
}

/** Number of purges during a build after which its callers get 503 instead of a purged copy. */
const buildsMax = 5;

/**
 * Caches finished responses. At most one build per resource runs at a time; a purged copy is never served, not
 * even by a build that began before the purge; while the database is unreachable, any cached copy is served.
 */
export class RepresentationCache {
  readonly counts: CacheCounts = { hits: 0, staleHits: 0, builds: 0, failedBuilds: 0, entries: 0, bytes: 0 };
  // Oldest first. A used entry gets a second chance at the end, so a hit need not reorder the map.
  readonly #entries = new Map<string, Entry>();
  readonly #building = new Map<string, Build>();
  readonly #options: RepresentationCacheOptions;
  readonly targets = new CachedTargets((key) => this.#current(key));

  constructor(options: RepresentationCacheOptions) {
    this.#options = options;
  }

  /** Synchronous when a valid copy is cached, so that the common case costs no promise. */
  get(resource: Resource): Representation | Promise<Representation> {
    if (this.#options.versions.outdated) return this.#getAfterPoll(resource);
    const entry = this.#entries.get(resource.key);
    if (entry === undefined || this.#wasPurged(entry)) return this.#build(resource).promise;
    if (this.#isFresh(entry)) {
      this.counts.hits += 1;
      entry.used = true;
      return entry.representation;
    }
    return this.#rebuild(resource, entry);
  }

  /** A process that was frozen must not serve what was purged meanwhile. */
  async #getAfterPoll(resource: Resource): Promise<Representation> {
    await this.#options.versions.nextPoll();
    return this.get(resource);
  }

  /** Returns a valid copy without building one. */
  #current(key: string): Representation | undefined {
    if (this.#options.versions.outdated) return undefined;
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#wasPurged(entry) || !this.#isFresh(entry)) return undefined;
    this.counts.hits += 1;
    entry.used = true;
    return entry.representation;
  }

  /** Removes purged copies, so that they do not stay in memory. */
  dropPurged(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#wasPurged(entry)) this.#drop(key, entry);
    }
  }

  #isFresh(entry: Entry): boolean {
    if (this.#options.versions.databaseUnreachable) return true;
    const age = this.#options.nowMs() - entry.builtAtMs;
    // After the clock was set back, the age is unknown.
    if (age >= this.#options.freshForMs || age < 0) return false;
    return age < this.#options.rebuildEveryMs || !this.#wasChanged(entry);
  }

  #wasPurged({ cacheTags }: Entry): boolean {
    const { versions } = this.#options;
    return cacheTags.some(({ tag, version }) => versions.of(tag).purged !== version.purged);
  }

  #wasChanged({ cacheTags }: Entry): boolean {
    const { versions } = this.#options;
    return cacheTags.some(({ tag, version }) => versions.of(tag).changed !== version.changed);
  }

  async #rebuild(resource: Resource, stale: Entry): Promise<Representation> {
    const { promise: waited, resolve } = Promise.withResolvers<'waited'>();
    const build = this.#build(resource);
    // Counted from the start of the build, so that callers behind a slow build do not wait this long each.
    const waitMs = build.startedAtMs + this.#options.staleWaitMs - this.#options.nowMs();
    const timer = setTimeout(resolve, Math.max(0, waitMs), 'waited' as const);
    try {
      const outcome = await Promise.race([build.promise, waited]);
      if (outcome !== 'waited') return outcome;
    } catch {
      // Logged where it was thrown; a copy that was valid a minute ago is better than an error.
    } finally {
      clearTimeout(timer);
    }
    if (this.#wasPurged(stale)) return this.#build(resource).promise;
    this.counts.staleHits += 1;
    return stale.representation;
  }

  #build(resource: Resource): Build {
    const running = this.#building.get(resource.key);
    if (running !== undefined) return running;
    const promise = this.#buildUntilCurrent(resource).finally(() => this.#building.delete(resource.key));
    // A caller that stopped waiting must not turn a failure into an unhandled rejection.
    promise.catch(() => {});
    const build: Build = { promise, startedAtMs: this.#options.nowMs() };
    this.#building.set(resource.key, build);
    return build;
  }

  async #buildUntilCurrent(resource: Resource): Promise<Representation> {
    for (let attempt = 1; attempt <= buildsMax; attempt += 1) {
      const cacheTags = resource.cacheTags.map((tag) => ({ tag, version: this.#options.versions.of(tag) }));
      const builtAtMs = this.#options.nowMs();
      try {
        this.counts.builds += 1;
        const representation = await buildRepresentation(resource);
        const entry: Entry = { representation, builtAtMs, cacheTags, used: false };
        if (this.#wasPurged(entry)) continue;
        this.#keep(resource.key, entry);
        return representation;
      } catch (error) {
        // A problem, such as "not found", is a response and not a failed build.
        if (!(error instanceof ProblemError)) {
          this.counts.failedBuilds += 1;
          this.#options.onBuildError(resource.key, error);
        }
        throw error;
      }
    }
    throw new ProblemError(temporarilyUnavailable, 'This content is being changed.', {
      retryAfterSeconds: 1,
    });
  }

  #keep(key: string, entry: Entry): void {
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    const bytesFree = this.#options.bytesMax - cachedBytes(entry);
    if (bytesFree < 0) return;
    for (const [oldest, oldEntry] of this.#entries) {
      if (this.#entries.size < this.#options.entriesMax && this.counts.bytes <= bytesFree) break;
      this.#drop(oldest, oldEntry);
      if (oldEntry.used) this.#add(oldest, { ...oldEntry, used: false });
    }
    this.#add(key, entry);
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.counts.entries = this.#entries.size;
    this.counts.bytes += cachedBytes(entry);
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.counts.entries = this.#entries.size;
    this.counts.bytes -= cachedBytes(entry);
  }
}

export async function buildRepresentation(resource: Resource): Promise<Representation> {
  return new Representation(await resource.build(), resource.edgeTags ?? resource.cacheTags);
}

/** Counts both compressed forms from the start, so that the bound applies whatever encodings are requested later. */
function cachedBytes(entry: Entry): number {
  return entry.representation.identity.length * 3 + 1_024;
}
