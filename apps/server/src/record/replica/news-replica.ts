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

/**
 * A replica that serves reads only while it has every decision that the last poll saw on the primary. So a reader never
 * gets from it what that poll already excludes, in particular no withdrawn item.
 */
export interface NewsReplica {
  readonly isCurrent: () => boolean;
  /** Reads the versions from the primary, and from this moment uses the replica only if it has them. */
  readonly readVersions: (primary: Database) => Promise<readonly CacheTagVersionRow[]>;
  /** From the replica while it is current; again from the primary if that fails, or the replica stops answering. */
  readonly read: <Value>(replica: () => Promise<Value>, primary: () => Promise<Value>) => Promise<Value>;
}

/** Between two reads of a position while the replica is behind; the next poll continues after a few. */
const retryAfterMs = 25;
const retriesMax = 15;

export function createNewsReplica({ readPosition, onState }: NewsReplicaOptions): NewsReplica {
  let state: ReplicaState = 'behind';
  let wanted: ReplicaPosition | null = null;
  let seen: ReplicaPosition | null = null;
  let checking = false;
  /** Aborted when the replica stops answering, for the reads that wait for it. */
  let answering = new AbortController();

  const enter = (next: ReplicaState, error: unknown = null): void => {
    const changes = next !== state;
    state = next;
    if (next === 'unreachable') {
      answering.abort();
      answering = new AbortController();
    }
    if (changes) onState(next, error);
  };
  /** Compares with the newest wanted position: the replica only advances, so an older `seen` that has it suffices. */
  const compare = (): boolean => {
    const has = wanted !== null && seen !== null && covers(seen, wanted);
    enter(has ? 'current' : 'behind');
    return has;
  };
  const check = async (): Promise<void> => {
    if (checking) return;
    checking = true;
    try {
      for (let turn = 0; turn < retriesMax; turn += 1) {
        seen = await readPosition();
        if (compare()) return;
        await delay(retryAfterMs);
      }
    } catch (error) {
      seen = null;
      enter('unreachable', error);
    } finally {
      checking = false;
    }
  };
  return {
    isCurrent: () => state === 'current',
    readVersions: async (primary) => {
      try {
        wanted = await readReplicaPosition(primary);
      } catch (error) {
        // What the primary has is unknown.
        wanted = null;
        if (state === 'current') enter('behind');
        throw error;
      }
      if (state === 'current') compare();
      void check();
      return wanted.versions;
    },
    read: async (replica, primary) => {
      if (state !== 'current') return primary();
      try {
        return await untilAborted(replica(), answering.signal);
      } catch (error) {
        // Refused for a reason of its own, such as too many searches: the primary must not get them as well.
        if (error instanceof ProblemError) throw error;
        return primary();
      }
    },
  };
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
