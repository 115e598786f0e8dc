import { plural } from '../cli/terminal.ts';
import type { Learner } from '../learn/learner.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { decideChunk, findChunk, readChunks } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { Consent, QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';

export interface ReviewCounts {
  readonly approved: number;
  readonly modified: number;
  readonly rejected: number;
}

/**
 * A review of pending chunks. Every decision is saved to the queue immediately, so an interrupted review resumes where
 * it stopped; within a review the latest decision can be undone.
 */
export class ReviewSession {
  readonly #queue: QueueHandle;
  readonly #learner: Learner;
  readonly #chunks: readonly { readonly id: string; readonly source: string }[];
  readonly #undo: { readonly at: number; readonly before: QueuedChunk; readonly kind: keyof ReviewCounts }[] =
    [];
  readonly #counts = { approved: 0, modified: 0, rejected: 0 };
  #at = 0;
  #lesson = '';
  readonly #unlearned: {
    readonly id: string;
    readonly target: Target;
    readonly kind: 'approval' | 'correction';
  }[] = [];

  constructor(queue: QueueHandle, learner: Learner, filter: ChunkFilter) {
    this.#queue = queue;
    this.#learner = learner;
    this.#chunks = Array.from(readChunks(queue.database, filter), ({ id, source }) => ({ id, source }));
  }

  get counts(): ReviewCounts {
    return this.#counts;
  }

  get position(): { readonly at: number; readonly of: number } {
    return { at: this.#at + 1, of: this.#chunks.length };
  }

  /** Null at the end of the walk. */
  current(): QueuedChunk | null {
    const id = this.#chunks[this.#at]?.id;
    const chunk = id === undefined ? null : findChunk(this.#queue.database, id);
    return chunk === 'ambiguous' ? null : chunk;
  }

  /** How many of the same file come after the current one without a break. */
  othersInFile(): number {
    const source = this.#chunks[this.#at]?.source;
    const end = this.#chunks.findIndex((chunk, at) => at > this.#at && chunk.source !== source);
    return (end === -1 ? this.#chunks.length : end) - this.#at - 1;
  }

  approve(target: Target, consent: Consent): void {
    const chunk = this.current();
    if (chunk === null) return;
    const isMoved = target !== chunk.proposed;
    this.#decide(chunk, isMoved ? 'modified' : 'approved', isMoved ? target : null, consent);
    this.#unlearned.push({ id: chunk.id, target, kind: isMoved ? 'correction' : 'approval' });
  }

  /** Learns from the decisions since the last call, all at once. */
  learn(): void {
    const decisions = this.#unlearned.splice(0);
    for (const same of Map.groupBy(decisions, ({ target, kind }) => `${kind} ${target}`).values()) {
      const [first] = same;
      if (first === undefined) continue;
      const ids = same.map(({ id }) => id);
      this.#lesson = this.#learner.learn(ids, first.target, first.kind).sentence || this.#lesson;
    }
  }

  /** What the latest decision has taught, in a sentence; empty if nothing. */
  get lesson(): string {
    return this.#lesson;
  }

  reject(): void {
    const chunk = this.current();
    if (chunk !== null) this.#decide(chunk, 'rejected', null, {});
  }

  skip(steps: 1 | -1): void {
    this.#at = Math.min(Math.max(this.#at + steps, 0), this.#chunks.length);
  }

  undo(): boolean {
    const last = this.#undo.pop();
    if (last === undefined) return false;
    decideChunk(this.#queue.database, last.before.id, last.before);
    const { moved } = this.#learner.refresh();
    this.#lesson =
      moved > 0 ? `The example is deleted, and ${plural(moved, 'note')} proposed as before.` : '';
    this.#counts[last.kind] -= 1;
    this.#at = last.at;
    return true;
  }

  #decide(chunk: QueuedChunk, state: keyof ReviewCounts, chosen: Target | null, consent: Consent): void {
    decideChunk(this.#queue.database, chunk.id, { state, chosen, consent });
    this.#undo.push({ at: this.#at, before: chunk, kind: state });
    this.#counts[state] += 1;
    this.#lesson = '';
    this.#at += 1;
  }
}
