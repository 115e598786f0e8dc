import { setTimeout as delay } from 'node:timers/promises';

import type { Database } from '../../foundation/database/database.ts';
import { backoffMs } from '../../foundation/database/transient-error.ts';
import type { EdgeCache } from '../../foundation/edge/edge-cache.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import type { Logger } from '../../foundation/logger.ts';
import type { EdgePurge } from './edge-purge-store.ts';
import { deletePurged, markPurged, readEdgePurges } from './edge-purge-store.ts';

export interface PurgeEdgesDeps {
  readonly database: Database;
  readonly caches: readonly EdgeCache[];
  readonly logger: Logger;
}

/**
 * Every api process has dropped its own copies one second after a decision. A cache that requested a copy within that
 * second may have received the old one, so a purge counts only if it was sent after this delay.
 */
const settledAfterMs = 1_200;
const pollIntervalMs = 200;
const purgesAtOnce = 500;

/**
 * Purges withdrawn or corrected content from shared caches: at once, and again when no api process can send the old copy
 * any more. A cache that does not respond is retried with growing delays; the others do not wait for it. Every worker
 * does this, since a duplicate purge is harmless.
 */
export function createEdgePurging(deps: PurgeEdgesDeps): Sweep {
  const lines = deps.caches.map((cache) => new CacheLine(deps, cache));
  return {
    name: 'purge-edges',
    everySeconds: 1,
    run: async (context) => {
      const names = deps.caches.map(({ name }) => name);
      while (!context.signal.aborted) {
        const purges = await readEdgePurges(deps.database, purgesAtOnce);
        if (purges.length === 0) return;
        const areOpen = await Promise.all(lines.map((line) => line.work(context, purges)));
        await context.transaction((transaction) => deletePurged(transaction, names));
        if (!areOpen.includes(true)) return;
        await delay(pollIntervalMs, undefined, { signal: context.signal }).catch(() => {});
      }
    },
  };
}

/** The pending purges of one cache. */
class CacheLine {
  readonly #deps: PurgeEdgesDeps;
  readonly #cache: EdgeCache;
  /** When each purge was first sent. */
  readonly #sentAtMs = new Map<bigint, number>();
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(deps: PurgeEdgesDeps, cache: EdgeCache) {
    this.#deps = deps;
    this.#cache = cache;
  }

  /** Returns whether some purges must be sent again soon. */
  async work(context: SweepContext, purges: readonly EdgePurge[]): Promise<boolean> {
    if (performance.now() < this.#pausedUntilMs) return false;
    const known = new Set(purges.map(({ id }) => id));
    for (const id of this.#sentAtMs.keys()) if (!known.has(id)) this.#sentAtMs.delete(id);
    const open = purges.filter(({ doneBy }) => !doneBy.includes(this.#cache.name));
    const nowMs = performance.now();
    const unsent = open.filter(({ id }) => !this.#sentAtMs.has(id));
    const settled = open.filter(({ id }) => nowMs - (this.#sentAtMs.get(id) ?? nowMs) >= settledAfterMs);
    const due = [...unsent, ...settled];
    if (due.length === 0) return open.length > 0;
    try {
      await this.#cache.purge([...new Set(due.flatMap(({ tags }) => tags))], context.signal);
    } catch (error) {
      this.#pause(error);
      return false;
    }
    this.#failures = 0;
    for (const { id } of unsent) this.#sentAtMs.set(id, nowMs);
    await context.transaction((transaction) =>
      markPurged(
        transaction,
        this.#cache.name,
        settled.map(({ id }) => id),
      ),
    );
    for (const { id } of settled) this.#sentAtMs.delete(id);
    return open.length > settled.length;
  }

  #pause(error: unknown): void {
    this.#failures += 1;
    this.#pausedUntilMs = performance.now() + backoffMs(this.#failures);
    this.#deps.logger.warn(
      { cache: this.#cache.name, failures: this.#failures, error: String(error) },
      'a shared cache did not drop copies; it is asked again',
    );
  }
}
