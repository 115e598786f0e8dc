import type { Answer, Found, NotFound } from '../answer.ts';
import type { ClientWorld } from '../client-world.ts';
import { systemWorld } from '../client-world.ts';
import type { NewsClient } from '../client.ts';
import type { ChangesResponse, Item, SetCheck, SnapshotResponse } from '../generated/news-api.ts';
import { checkedItems, inBatches, intactProgress, mirrored, sealed, sumOf } from './copy-check.ts';
import { eachOf } from './memory-store.ts';
import type { CopyName, CopyProgress, MirroredItem, MirrorStore } from './mirror-store.ts';
import { buildRepairedCopy } from './repair.ts';
import { changedHash, emptyHash } from './set-hash.ts';

/** What happened to the copy. */
export type MirrorEvent =
  /** A page of a new copy was read; readers see it once it is exact. */
  | { readonly kind: 'snapshot'; readonly items: number }
  | { readonly kind: 'upsert'; readonly item: Item }
  | { readonly kind: 'remove'; readonly id: string }
  /** All stored items were hashed again by this process, and their hash equals the one that the server sent. */
  | { readonly kind: 'exact'; readonly size: number; readonly hash: string }
  /**
   * The running hash equals the one that the server sent; the items just stored and a part of the others were hashed
   * again. `verifiedAt`: since when every stored item was.
   */
  | { readonly kind: 'in-step'; readonly size: number; readonly hash: string; readonly verifiedAt: number }
  /** The copy differed. Its intact parts and `items` items of `ranges` ranges of ids from the server are a new one. */
  | { readonly kind: 'repair'; readonly ranges: number; readonly items: number }
  /** The repaired copy differs as well, or the ledger is another: all is read again, beside the old copy. */
  | { readonly kind: 'restart'; readonly reason: 'different' | 'snapshot_required' };

/** A new copy differs from the set as well: an intermediary changes the server's responses. */
export class MirrorDifferentError extends Error {}

/** The server refuses requests for longer than the client waits. */
export class MirrorRefusedError extends Error {}

export interface FollowOptions {
  readonly client: NewsClient;
  readonly store: MirrorStore;
  readonly signal?: AbortSignal;
  /** Ends once the copy is exact, instead of going on for ever. */
  readonly once?: boolean;
  readonly pageSize?: { readonly snapshot?: number; readonly changes?: number };
  /** Replaces the clock and waiting between polls. */
  readonly world?: Pick<ClientWorld, 'now' | 'wait'>;
  /** The server that the copy belongs to, where its address changes; by default the address of the client. */
  readonly server?: string;
}

/** Used where a response states no lifetime. */
const pollMsMin = 1000;

/** Keeps a copy of the selected set exact and returns the changes. Can be stopped at any point and resumes there. */
export async function* follow(options: FollowOptions): AsyncGenerator<MirrorEvent, void> {
  const follower = new Follower(options);
  try {
    for (;;) {
      const { events, restUntil } = await follower.step();
      yield* events;
      const isExact = restUntil !== null;
      if (isExact && options.once === true) return;
      if (isExact) await follower.rest(restUntil);
    }
  } finally {
    follower.end();
  }
}

interface Step {
  readonly events: readonly MirrorEvent[];
  /** Set once the copy is exact: the time of the next request. */
  readonly restUntil: number | null;
}

class Follower {
  readonly #options: FollowOptions;
  readonly #server: string;
  /** A new copy was made because the old one was different. */
  #isSecondTry = false;
  /** The copy did not have the hash of the last response, which may have been older than a page before it. */
  #isInDoubt = false;
  /** The next page of the snapshot: the server builds it while this one is stored. */
  #ahead: { readonly page: string; readonly answer: Promise<Answer<SnapshotResponse>> } | null = null;
  #next: 'repair' | 'snapshot' | null = null;
  /** Whether this process has hashed all items of the copy that it follows. */
  #isVerified = false;
  #sample: { readonly batches: AsyncGenerator<readonly MirroredItem[]>; readonly since: number } | null =
    null;
  readonly #ended = new AbortController();
  /** Of every request. One for all: a signal made of others is known to them for as long as they live. */
  readonly #signal: AbortSignal;

  constructor(options: FollowOptions) {
    this.#options = options;
    const { signal, server, client } = options;
    this.#server = server ?? client.baseUrl;
    this.#signal = signal === undefined ? this.#ended.signal : AbortSignal.any([signal, this.#ended.signal]);
  }

  /** Reads one page and stores it. */
  async step(): Promise<Step> {
    if (this.#next === 'repair') return this.#repair();
    if (this.#next === 'snapshot') return this.#readSnapshot(null);
    const next = await this.#progress('next');
    if (next !== null && next.isUnfinished !== true)
      return next.nextPage === null ? this.#readChanges('next', next) : this.#readSnapshot(next);
    const current = await this.#progress('current');
    if (current !== null && current.nextPage === null) return this.#readChanges('current', current);
    return (await isEmpty(this.#options.store)) ? this.#readSnapshot(null) : this.#repair();
  }

  #progress(copy: CopyName): Promise<CopyProgress | null> {
    return intactProgress(this.#options.store, copy, this.#server);
  }

  end(): void {
    this.#ended.abort();
  }

  async rest(until: number): Promise<void> {
    const { world = systemWorld, signal } = this.#options;
    await world.wait(Math.max(until - world.now(), pollMsMin), signal);
  }

  async #readSnapshot(progress: CopyProgress | null): Promise<Step> {
    const { store } = this.#options;
    const answer = await this.#snapshotPage(progress?.nextPage ?? null);
    if (isOutdated(answer)) return this.#restart('snapshot_required');
    const { data } = required(answer);
    this.#next = null;
    this.#isVerified = false;
    if (progress === null) await store.dropNext();
    if (data.nextPage !== null) this.#askAhead(data.nextPage);
    const put = await mirrored(data.items);
    await store.apply({
      copy: 'next',
      put,
      remove: [],
      progress: await sealed({
        cursor: data.cursor,
        nextPage: data.nextPage,
        ...(await this.#sum('next', progress, put, [])),
        exactAt: null,
        verifiedAt: null,
        server: this.#server,
      }),
    });
    return { events: [{ kind: 'snapshot', items: put.length }], restUntil: null };
  }

  async #repair(): Promise<Step> {
    const { client, store } = this.#options;
    this.#next = null;
    this.#isVerified = false;
    const outcome = await buildRepairedCopy({ client, store, server: this.#server, signal: this.#signal });
    if (outcome.kind === 'built') return { events: [{ ...outcome, kind: 'repair' }], restUntil: null };
    // A server of an earlier version has no ranges; or it began another ledger meanwhile.
    if (outcome.answer.status === 404 || isOutdated(outcome.answer)) return this.#restart('different');
    throw refusedBy(outcome.answer);
  }

  #snapshotPage(page: string | null): Promise<Answer<SnapshotResponse>> {
    const { client, pageSize } = this.#options;
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null && ahead.page === page) return ahead.answer;
    const limit = pageSize?.snapshot ?? 1000;
    const params = page === null ? { limit } : { limit, page };
    // A set may be larger than memory; and a page that differed must not come from the cache.
    return client.getSelectedSnapshot(params, { signal: this.#signal, keep: false });
  }

  #askAhead(page: string): void {
    const answer = this.#snapshotPage(page);
    // The caller that awaits the page gets the error; possibly no caller awaits it any more.
    answer.catch(() => undefined);
    this.#ahead = { page, answer };
  }

  async #readChanges(copy: CopyName, progress: CopyProgress): Promise<Step> {
    const { client, store, pageSize, world = systemWorld } = this.#options;
    const usual = pageSize?.changes ?? 100;
    const answer = await client.listSelectedChanges(
      { cursor: progress.cursor, limit: this.#isInDoubt ? rareLimit(usual) : usual },
      { signal: this.#signal },
    );
    if (isOutdated(answer)) return this.#restart('snapshot_required');
    const { data, freshUntil } = required(answer);
    const { put, remove } = await latestOf(data.changes);
    const sum = await this.#sum(copy, progress, put, remove);
    const { set } = data;
    if (set !== undefined) {
      const differs = !isSame(set, sum);
      if (differs && this.#isInDoubt) return this.#different(copy, set, sum);
      this.#isInDoubt = differs;
      if (differs) return { events: [], restUntil: null };
    }
    const { exactAt, verifiedAt } = progress;
    const reached = { cursor: data.cursor, nextPage: null, ...sum, server: this.#server };
    const isInStep = set !== undefined && this.#isVerified;
    await store.apply({
      copy,
      put,
      remove,
      progress: await sealed({ ...reached, exactAt: isInStep ? world.now() : exactAt, verifiedAt }),
    });
    const events: MirrorEvent[] = copy === 'current' ? data.changes.map(toEvent) : [];
    if (set === undefined) return { events, restUntil: null };
    const found = this.#isVerified
      ? await this.#checkSample(put, progress)
      : await this.#verify(copy, set, reached);
    if (found === null) {
      const { events: more, ...rest } = await this.#different(copy, set, sum);
      return { events: [...events, ...more], ...rest };
    }
    return { events: [...events, { ...found, ...sum }], restUntil: freshUntil };
  }

  /** Hashes all stored items of the copy. Null where they are not the set. */
  async #verify(
    copy: CopyName,
    set: SetCheck,
    reached: Omit<CopyProgress, 'seal' | 'exactAt' | 'verifiedAt'>,
  ): Promise<{ readonly kind: 'exact' } | null> {
    const { store, world = systemWorld } = this.#options;
    const found = await sumOf(store.scan(copy));
    if (found.differing.length > 0 || !isSame(set, found)) return null;
    const now = world.now();
    const progress = await sealed({ ...reached, exactAt: now, verifiedAt: now });
    await store.apply({ copy, put: [], remove: [], progress });
    if (copy === 'next') await store.swap();
    this.#isVerified = true;
    this.#isSecondTry = false;
    this.#sample = null;
    return { kind: 'exact' };
  }

  /** Hashes the items just stored and some of the others. Null where one is damaged. */
  async #checkSample(
    put: readonly MirroredItem[],
    progress: CopyProgress,
  ): Promise<{ readonly kind: 'in-step'; readonly verifiedAt: number } | null> {
    const { store } = this.#options;
    const { sampled, passedAt } = await this.#nextSample();
    const touched = await Promise.all(put.map(({ item }) => store.get(item.id)));
    if (touched.includes(null)) return null;
    for await (const batch of checkedItems(eachOf([...touched, ...sampled].filter((one) => one !== null))))
      if (batch.some(({ isIntact }) => !isIntact)) return null;
    const stored = await store.progress('current');
    if (passedAt !== null && stored !== null) {
      const renewed = await sealed({ ...stored, verifiedAt: passedAt });
      await store.apply({ copy: 'current', put: [], remove: [], progress: renewed });
    }
    return { kind: 'in-step', verifiedAt: passedAt ?? progress.verifiedAt ?? 0 };
  }

  /** The next batch of the copy; at its end the first part again, and when the ended pass had begun. */
  async #nextSample(): Promise<{
    readonly sampled: readonly MirroredItem[];
    readonly passedAt: number | null;
  }> {
    const { store, world = systemWorld } = this.#options;
    const begin = () => ({ batches: inBatches(store.scan('current')), since: world.now() });
    this.#sample ??= begin();
    const { since, batches } = this.#sample;
    const { value, done } = await batches.next();
    if (done !== true) return { sampled: value, passedAt: null };
    this.#sample = begin();
    const first = await this.#sample.batches.next();
    return { sampled: first.value ?? [], passedAt: since };
  }

  async #different(
    copy: CopyName,
    said: SetCheck,
    found: Pick<CopyProgress, 'size' | 'hash'>,
  ): Promise<Step> {
    this.#isVerified = this.#isInDoubt = false;
    this.#sample = null;
    if (copy === 'current') {
      this.#next = 'repair';
      return { events: [], restUntil: null };
    }
    if (this.#isSecondTry)
      throw new MirrorDifferentError(
        `a new copy of ${found.size} items differs from the server’s set of ${said.size}`,
      );
    this.#isSecondTry = true;
    return this.#restart('different');
  }

  async #restart(reason: 'different' | 'snapshot_required'): Promise<Step> {
    await this.#options.store.dropNext();
    this.#ahead = null;
    this.#next = 'snapshot';
    return { events: [{ kind: 'restart', reason }], restUntil: null };
  }

  async #sum(
    copy: CopyName,
    progress: CopyProgress | null,
    put: readonly MirroredItem[],
    remove: readonly string[],
  ): Promise<Pick<CopyProgress, 'size' | 'hash'>> {
    const ids = [...put.map(({ item }) => item.id), ...remove];
    const known =
      progress === null ? new Map<string, string>() : await this.#options.store.digests(copy, ids);
    const added = put.filter(({ item }) => !known.has(item.id)).length;
    const removed = remove.filter((id) => known.has(id)).length;
    const digests = put.map(({ digest }) => digest);
    return {
      size: (progress?.size ?? 0) + added - removed,
      hash: changedHash(progress?.hash ?? emptyHash, digests, known.values()),
    };
  }
}

async function isEmpty(store: MirrorStore): Promise<boolean> {
  for await (const _ of store.scan('current')) return false;
  return true;
}

/** Of several changes of one item in a page the last one counts. */
export async function latestOf(
  changes: ChangesResponse['changes'],
): Promise<{ readonly put: readonly MirroredItem[]; readonly remove: readonly string[] }> {
  const latest = new Map(
    changes.map((change) => (change.op === 'upsert' ? [change.item.id, change.item] : [change.id, null])),
  );
  const put = [...latest.values()].filter((item) => item !== null);
  const remove = [...latest].filter(([, item]) => item === null).map(([id]) => id);
  return { put: await mirrored(put), remove };
}

/**
 * A page size that other clients hardly use, so that no cache has the response. A cached page of changes may be older than
 * a page that was read before it, and then lacks an item that changed in between.
 */
export function rareLimit(usual: number): number {
  return Math.ceil(usual * (1 - Math.random() / 2)) - 1 || 2;
}

function toEvent(change: ChangesResponse['changes'][number]): MirrorEvent {
  return change.op === 'upsert' ? { kind: 'upsert', item: change.item } : { kind: 'remove', id: change.id };
}

export function isSame(said: SetCheck, { size, hash }: Pick<CopyProgress, 'size' | 'hash'>): boolean {
  return said.size === size && said.hash === hash;
}

export function isOutdated(answer: Answer<unknown>): boolean {
  return !answer.ok && answer.status === 409;
}

export function required<T>(answer: Answer<T>): Found<T> {
  if (answer.ok) return answer;
  throw refusedBy(answer);
}

function refusedBy({ problem }: NotFound): MirrorRefusedError {
  return new MirrorRefusedError(`${problem.code}: ${problem.detail}`);
}
