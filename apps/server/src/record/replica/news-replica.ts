import { setTimeout as delay } from 'node:timers/promises';

import type { CacheTagVersionRow } from '../../foundation/cache/cache-tag-versions.ts';
import type { Database } from '../../foundation/database/database.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReplicaPosition } from './replica-position-store.ts';
import { covers, readReplicaPosition } from './replica-position-store.ts';

export type ReplicaState = 'current' | 'behind' | 'unreachable';

export interface NewsReplicaOptions {
  /** Over a connection of its own, which gives up within a second: reads wait for it behind a frozen server. */
  readonly readPosition: () => Promise<ReplicaPosition>;
  readonly onState: (state: ReplicaState, error: unknown) => void;
}

/** Between two reads of a position while the replica is behind; the next poll continues after a few. */
const retryAfterMs = 25;
const retriesMax = 15;

/**
 * A replica that serves reads only while it has every decision that the last poll saw on the primary. So a reader never
 * gets from it what that poll already excludes, in particular no withdrawn item.
 */
export class NewsReplica {
  readonly #options: NewsReplicaOptions;
  #state: ReplicaState = 'behind';
  #wanted: ReplicaPosition | null = null;
  #seen: ReplicaPosition | null = null;
  #checking = false;
  /** Aborted when the replica stops answering, for the reads that wait for it. */
  #answering = new AbortController();

  constructor(options: NewsReplicaOptions) {
    this.#options = options;
  }

  isCurrent(): boolean {
    return this.#state === 'current';
  }

  /** Reads the versions from the primary, and from this moment uses the replica only if it has them. */
  async readVersions(primary: Database): Promise<readonly CacheTagVersionRow[]> {
    try {
      this.#wanted = await readReplicaPosition(primary);
    } catch (error) {
      // What the primary has is unknown.
      this.#wanted = null;
      if (this.isCurrent()) this.#enter('behind');
      throw error;
    }
    if (this.isCurrent()) this.#compare();
    void this.#check();
    return this.#wanted.versions;
  }

  /** From the replica while it is current; again from the primary if that fails, or the replica stops answering. */
  async read<Value>(replica: () => Promise<Value>, primary: () => Promise<Value>): Promise<Value> {
    if (!this.isCurrent()) return primary();
    try {
      return await untilAborted(replica(), this.#answering.signal);
    } catch (error) {
      // Refused for a reason of its own, such as too many searches: the primary must not get them as well.
      if (error instanceof ProblemError) throw error;
      return primary();
    }
  }

  async #check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      for (let turn = 0; turn < retriesMax; turn += 1) {
        this.#seen = await this.#options.readPosition();
        if (this.#compare()) return;
        await delay(retryAfterMs);
      }
    } catch (error) {
      this.#seen = null;
      this.#enter('unreachable', error);
    } finally {
      this.#checking = false;
    }
  }

  /** With the newest wanted position: the replica only advances, so an older seen one that has it suffices. */
  #compare(): boolean {
    const has = this.#wanted !== null && this.#seen !== null && covers(this.#seen, this.#wanted);
    this.#enter(has ? 'current' : 'behind');
    return has;
  }

  #enter(state: ReplicaState, error: unknown = null): void {
    const changes = state !== this.#state;
    this.#state = state;
    if (state === 'unreachable') {
      this.#answering.abort();
      this.#answering = new AbortController();
    }
    if (changes) this.#options.onState(state, error);
  }
}

async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new Error('the replica stopped answering'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
