import { randomUUID } from 'node:crypto';

import { hourMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { TransientCause } from '../../foundation/database/transient-error.ts';
import { backoffMs, transientCause } from '../../foundation/database/transient-error.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import { EpochEndedError } from '../../foundation/engine/epoch-fence.ts';
import { addMs } from '../../foundation/instant.ts';
import { isPlacementFree, notePublished } from '../stories/story-index-store.ts';
import { releaseEmbargoed } from './entry-hold-store.ts';
import type { PrepareEntries } from './preparation.ts';
import type { PreparedEntry } from './prepare-entry.ts';
import type { BatchDeps } from './publish-batch.ts';
import { publishBatch } from './publish-batch.ts';
import type { EntryToPublish } from './unpublished-entry-store.ts';
import { readUnpublished, recordOutcome, retryFailedByOthers } from './unpublished-entry-store.ts';

export interface PublicationDeps extends BatchDeps {
  readonly database: Database;
  readonly prepare: PrepareEntries;
  /** Entries wait for the text of a model; without a model they are written here, by rule. */
  readonly isModelWriting: boolean;
  /** The release of this program: entries that failed under another one are retried. */
  readonly release: string;
  readonly events?: PublicationEvents;
}

/** For metrics and the log. */
export interface PublicationEvents {
  readonly published: (entries: number) => void;
  readonly retried: (cause: TransientCause, error: unknown) => void;
  readonly failed: (entry: EntryToPublish, error: unknown) => void;
}

const batchSizeMax = 200;
const firstBatchSize = 40;
/** After a pause the first batch is small: the database is idle while it is prepared. */
const startSize = 20;
/** The approximate maximum of a transaction, so that other transactions wait only briefly for its locks. */
const batchMsMax = 1_000;
const reasonCharsMax = 500;
/** After this time an entry is written by rule instead of by a model. */
const modelWithinMs = hourMs;

/**
 * Publishes new entries: the table of entries is the queue, so an entry is published even if the process that began
 * with it crashes. One process at a time publishes, in batches; the next batch is prepared while the database works
 * on this one. A transient error is retried with growing delays; an entry that cannot be published is found by
 * halving its batch, and marked as failed.
 */
export function createPublication(deps: PublicationDeps): Sweep {
  const publication = new Publication(deps);
  return { name: 'publish-entries', everySeconds: 1, run: (context) => publication.run(context) };
}

class Publication {
  readonly #deps: PublicationDeps;
  /** Distinguishes this process from others that publish. */
  readonly #holder = randomUUID();
  #batchSize = firstBatchSize;
  #ahead: readonly PreparedEntry[] = [];
  #retriedOthers = false;
  #transientFailures = 0;
  #pausedUntilMs = 0;

  constructor(deps: PublicationDeps) {
    this.#deps = deps;
  }

  async run(context: SweepContext): Promise<void> {
    if (performance.now() < this.#pausedUntilMs) return;
    try {
      await this.#retryOthers();
      await releaseEmbargoed(this.#deps.database, this.#deps.stories.clock.now());
      await this.#publishAll(context);
      this.#transientFailures = 0;
    } catch (error) {
      const cause = transientCause(error);
      if (cause === null) throw error;
      this.#pause(cause, error);
    } finally {
      this.#ahead = [];
    }
  }

  async #publishAll(context: SweepContext): Promise<void> {
    let batches = 0;
    while (!context.signal.aborted && (await this.#publishNext(context))) batches += 1;
    if (batches > 0) await context.transaction((transaction) => notePublished(transaction, this.#holder));
  }

  async #retryOthers(): Promise<void> {
    if (this.#retriedOthers) return;
    await retryFailedByOthers(this.#deps.database, this.#deps.release);
    this.#retriedOthers = true;
  }

  #pause(cause: TransientCause, error: unknown): void {
    this.#transientFailures += 1;
    this.#pausedUntilMs = performance.now() + backoffMs(this.#transientFailures);
    // After a time-out, a smaller batch takes less time.
    if (cause === 'timeout') this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 2));
    this.#deps.events?.retried(cause, error);
  }

  /** False if no entries remain, or another process publishes them. */
  async #publishNext(context: SweepContext): Promise<boolean> {
    const batch = this.#ahead.length > 0 ? this.#ahead : await this.#prepareFirst(context);
    this.#ahead = [];
    if (batch.length === 0) return false;
    const startedMs = performance.now();
    const [published] = await Promise.all([
      this.#publishOrSplit(context, batch),
      this.#prepareAhead(context, batch),
    ]);
    if (published === null) return false;
    this.#adapt(batch.length, performance.now() - startedMs);
    this.#deps.events?.published(published);
    return true;
  }

  async #prepareFirst(context: SweepContext): Promise<readonly PreparedEntry[]> {
    return (await isPlacementFree(this.#deps.database, this.#holder))
      ? this.#prepare(context, [], Math.min(this.#batchSize, startSize))
      : [];
  }

  async #prepareAhead(context: SweepContext, current: readonly PreparedEntry[]): Promise<void> {
    this.#ahead = await this.#prepare(context, current, this.#batchSize);
  }

  async #prepare(
    context: SweepContext,
    current: readonly PreparedEntry[],
    countMax: number,
  ): Promise<readonly PreparedEntry[]> {
    const { database, stories, isModelWriting } = this.#deps;
    const now = stories.clock.now();
    const entries = await readUnpublished(database, {
      countMax,
      now,
      except: current.map(({ entry }) => entry.id),
      handedOverBefore: isModelWriting ? addMs(now, -modelWithinMs) : null,
    });
    const preparations = entries.length === 0 ? [] : await this.#deps.prepare(entries);
    const prepared: PreparedEntry[] = [];
    for (const [at, entry] of entries.entries()) {
      const preparation = preparations[at];
      if (preparation === undefined) continue;
      if ('error' in preparation) await this.#fail(context, entry, preparation.error);
      else prepared.push({ entry, ...preparation });
    }
    return prepared;
  }

  async #publishOrSplit(context: SweepContext, entries: readonly PreparedEntry[]): Promise<number | null> {
    try {
      return await context.transaction((transaction) =>
        publishBatch(this.#deps, transaction, this.#holder, entries),
      );
    } catch (error) {
      if (transientCause(error) !== null || error instanceof EpochEndedError) throw error;
      const [only] = entries;
      if (only !== undefined && entries.length === 1) {
        await this.#fail(context, only.entry, error);
        return 0;
      }
    }
    const middle = entries.length >> 1;
    const first = await this.#publishOrSplit(context, entries.slice(0, middle));
    if (first === null) return null;
    const second = await this.#publishOrSplit(context, entries.slice(middle));
    return second === null ? null : first + second;
  }

  async #fail(context: SweepContext, entry: EntryToPublish, error: unknown): Promise<void> {
    const { stories, release, events } = this.#deps;
    const reason = String(error).slice(0, reasonCharsMax);
    const outcome = { outcome: 'failed', reason, at: stories.clock.now(), release } as const;
    await context.transaction((transaction) => recordOutcome(transaction, entry, outcome));
    events?.failed(entry, error);
  }

  #adapt(entries: number, tookMs: number): void {
    if (tookMs > batchMsMax)
      this.#batchSize = Math.max(1, Math.floor((this.#batchSize * batchMsMax) / tookMs));
    else if (entries === this.#batchSize && tookMs < batchMsMax / 2)
      this.#batchSize = Math.min(batchSizeMax, Math.ceil(this.#batchSize * 1.5));
  }
}
