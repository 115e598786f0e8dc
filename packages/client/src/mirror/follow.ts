import type { Answer, Found } from '../answer.ts';
import type { ClientWorld } from '../client-world.ts';
import { systemWorld } from '../client-world.ts';
import type { NewsClient } from '../client.ts';
import type { ChangesResponse, Item, SetCheck, SnapshotResponse } from '../generated/news-api.ts';
import type { CopyName, CopyProgress, MirroredItem, MirrorStore } from './mirror-store.ts';
import { changedHash, emptyHash, itemDigests } from './set-hash.ts';

/** What happened to the copy. */
export type MirrorEvent =
  /** A page of a new copy was read; readers see it once it is exact. */
  | { readonly kind: 'snapshot'; readonly items: number }
  | { readonly kind: 'upsert'; readonly item: Item }
  | { readonly kind: 'remove'; readonly id: string }
  /** The digest that the server sent for the set equals the digest of the copy. */
  | { readonly kind: 'exact'; readonly size: number; readonly hash: string }
  /** It does not, or the ledger is another: a new copy is made beside the old one. */
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
  /** A new copy was made because the old one was different. */
  #isSecondTry = false;
  /** The next page of the snapshot: the server builds it while this one is stored. */
  #ahead: { readonly page: string; readonly answer: Promise<Answer<SnapshotResponse>> } | null = null;
  #isRestarting = false;
  readonly #ended = new AbortController();
  /** Of every request. One for all: a signal made of others is known to them for as long as they live. */
  readonly #signal: AbortSignal;

  constructor(options: FollowOptions) {
    this.#options = options;
    const { signal } = options;
    this.#signal = signal === undefined ? this.#ended.signal : AbortSignal.any([signal, this.#ended.signal]);
  }

  /** Reads one page and stores it. */
  async step(): Promise<Step> {
    const { store } = this.#options;
    if (this.#isRestarting) return this.#readSnapshot(null);
    const next = await store.progress('next');
    const current = next === null ? await store.progress('current') : null;
    const progress = next ?? current;
    if (progress === null || progress.nextPage !== null) return this.#readSnapshot(next);
    return this.#readChanges(next === null ? 'current' : 'next', progress);
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
    this.#isRestarting = false;
    if (data.nextPage !== null) this.#askAhead(data.nextPage);
    const put = await mirrored(data.items);
    await store.apply({
      copy: 'next',
      put,
      remove: [],
      progress: {
        cursor: data.cursor,
        nextPage: data.nextPage,
        ...(await this.#sum('next', progress, put, [])),
        exactAt: null,
      },
    });
    return { events: [{ kind: 'snapshot', items: put.length }], restUntil: null };
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
    const answer = await client.listSelectedChanges(
      { cursor: progress.cursor, limit: pageSize?.changes ?? 100 },
      { signal: this.#signal },
    );
    if (isOutdated(answer)) return this.#restart('snapshot_required');
    const { data, freshUntil } = required(answer);
    const { put, remove } = await latestOf(data.changes);
    const sum = await this.#sum(copy, progress, put, remove);
    const isExact = data.set !== undefined && isSame(data.set, sum);
    if (data.set !== undefined && !isExact) return this.#different(copy, data.set, sum);
    const exactAt = isExact ? world.now() : progress.exactAt;
    await store.apply({
      copy,
      put,
      remove,
      progress: { cursor: data.cursor, nextPage: null, ...sum, exactAt },
    });
    const events: MirrorEvent[] = copy === 'current' ? data.changes.map(toEvent) : [];
    if (!isExact) return { events, restUntil: null };
    if (copy === 'next') await store.swap();
    this.#isSecondTry = false;
    return { events: [...events, { kind: 'exact', ...sum }], restUntil: freshUntil };
  }

  async #different(
    copy: CopyName,
    said: SetCheck,
    found: Pick<CopyProgress, 'size' | 'hash'>,
  ): Promise<Step> {
    if (copy === 'next' && this.#isSecondTry)
      throw new MirrorDifferentError(
        `a new copy of ${found.size} items differs from the set of ${said.size} that the server describes`,
      );
    this.#isSecondTry = true;
    return this.#restart('different');
  }

  async #restart(reason: 'different' | 'snapshot_required'): Promise<Step> {
    await this.#options.store.dropNext();
    this.#ahead = null;
    this.#isRestarting = true;
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

async function mirrored(items: readonly Item[]): Promise<readonly MirroredItem[]> {
  const digests = await itemDigests(items);
  return items.map((item, at) => ({ item, digest: digests[at] ?? '' }));
}

/** Of several changes of one item in a page the last one counts. */
async function latestOf(
  changes: ChangesResponse['changes'],
): Promise<{ readonly put: readonly MirroredItem[]; readonly remove: readonly string[] }> {
  const latest = new Map(
    changes.map((change) => (change.op === 'upsert' ? [change.item.id, change.item] : [change.id, null])),
  );
  const put = [...latest.values()].filter((item) => item !== null);
  const remove = [...latest].filter(([, item]) => item === null).map(([id]) => id);
  return { put: await mirrored(put), remove };
}

function toEvent(change: ChangesResponse['changes'][number]): MirrorEvent {
  return change.op === 'upsert' ? { kind: 'upsert', item: change.item } : { kind: 'remove', id: change.id };
}

function isSame(said: SetCheck, { size, hash }: Pick<CopyProgress, 'size' | 'hash'>): boolean {
  return said.size === size && said.hash === hash;
}

function isOutdated(answer: Answer<unknown>): boolean {
  return !answer.ok && answer.status === 409;
}

function required<T>(answer: Answer<T>): Found<T> {
  if (answer.ok) return answer;
  throw new MirrorRefusedError(`${answer.problem.code}: ${answer.problem.detail}`);
}
