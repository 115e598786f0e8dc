import { decideChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import { idealStateTargets } from '../targets/target.ts';
import type { Asker, WaitingReason } from './approval-question.ts';
import type { CommitFailure } from './commit-batch.ts';
import { commitBatch } from './commit-batch.ts';
import { closeRun, openRun } from './commit-journal.ts';
import type { PlanDeps } from './commit-plan.ts';
import { planCommit } from './commit-plan.ts';
import { findDuplicates } from './duplicate-check.ts';
import type { FileChange } from './file-change.ts';
import { placeOf } from './target-file.ts';

export interface CommitDeps extends PlanDeps {
  readonly queue: QueueHandle;
  readonly ask: Asker;
  readonly command: string;
  readonly dryRun: boolean;
  /** What a dry run would change, file by file. */
  readonly onPreview: (change: FileChange) => void;
  readonly onProgress: (done: number) => void;
}

export interface CommitOutcome {
  readonly run: string;
  readonly committed: ReadonlyMap<Target, number>;
  readonly waiting: readonly { readonly chunk: QueuedChunk; readonly reason: WaitingReason }[];
  readonly failures: readonly CommitFailure[];
  readonly rejected: number;
}

/** Chunks looked at together: one search for duplicates, one journal entry for each file they touch. */
const pageChunks = 500;

/** Asks what must be asked and commits the rest, page by page. UNCLEAR chunks are never among them. */
export async function commitChunks(deps: CommitDeps, chunks: Iterable<QueuedChunk>): Promise<CommitOutcome> {
  const committer = new Committer(deps);
  let page: QueuedChunk[] = [];
  for (const chunk of chunks) {
    if (destinationOf(chunk) === 'UNCLEAR') continue;
    page.push(chunk);
    if (page.length < pageChunks) continue;
    await committer.commitPage(page);
    page = [];
  }
  if (page.length > 0) await committer.commitPage(page);
  return committer.finish();
}

class Committer {
  readonly #deps: CommitDeps;
  readonly #committed = new Map<Target, number>();
  readonly #waiting: { chunk: QueuedChunk; reason: WaitingReason }[] = [];
  readonly #failures: CommitFailure[] = [];
  readonly #dimensions = new Map<Target, boolean>();
  #rejected = 0;
  #done = 0;

  constructor(deps: CommitDeps) {
    this.#deps = deps;
  }

  async commitPage(page: readonly QueuedChunk[]): Promise<void> {
    const cleared: QueuedChunk[] = [];
    for (const chunk of page) {
      const answer = await this.#clear(chunk);
      if (answer !== null) cleared.push(answer);
    }
    const approved = await this.#clearDuplicates(cleared);
    this.#write(approved);
    this.#done += page.length;
    this.#deps.onProgress(this.#done);
  }

  finish(): CommitOutcome {
    const { queue, stamp, dryRun } = this.#deps;
    if (!dryRun) closeRun(queue.database, stamp.run, 'done');
    return {
      run: stamp.run,
      committed: this.#committed,
      waiting: this.#waiting,
      failures: this.#failures,
      rejected: this.#rejected,
    };
  }

  /** The chunk with its questions answered, or null where it waits or is rejected. */
  async #clear(chunk: QueuedChunk): Promise<QueuedChunk | null> {
    const { ask, layout } = this.#deps;
    const target = destinationOf(chunk);
    if (target === 'PRINCIPAL_IDENTITY' && chunk.consent.identity !== true) {
      return (await ask.identity(chunk, layout(target).path)) ? chunk : this.#wait(chunk, 'identity');
    }
    if (isDimension(target) && chunk.consent.dimension !== true) {
      let allowed = this.#dimensions.get(target);
      if (allowed === undefined) this.#dimensions.set(target, (allowed = await ask.dimension(target)));
      return allowed ? chunk : this.#wait(chunk, 'ideal-state');
    }
    if (target === 'AI_RULES' && chunk.consent.rule === undefined) {
      const rule = await ask.rule(chunk);
      if (rule === null) return this.#wait(chunk, 'ai-rule');
      if (rule === 'reject') return this.#reject(chunk);
      return { ...chunk, consent: { ...chunk.consent, rule } };
    }
    return chunk;
  }

  async #clearDuplicates(chunks: readonly QueuedChunk[]): Promise<readonly QueuedChunk[]> {
    const { root, layout, ask } = this.#deps;
    const duplicates = findDuplicates(root, layout, chunks);
    const cleared: QueuedChunk[] = [];
    for (const chunk of chunks) {
      const isAllowed = !duplicates.has(chunk.id) || chunk.consent.duplicate === true;
      if (isAllowed || (await ask.duplicate(chunk, placeOf(chunk, layout).path))) cleared.push(chunk);
      else this.#wait(chunk, 'duplicate');
    }
    return cleared;
  }

  #write(chunks: readonly QueuedChunk[]): void {
    const { queue, dryRun, stamp, command } = this.#deps;
    const plan = planCommit(this.#deps, chunks);
    for (const { chunk, reason } of plan.refused) {
      this.#failures.push({ path: destinationOf(chunk), chunks: [chunk.id], reason });
    }
    if (dryRun) {
      for (const change of plan.changes) this.#deps.onPreview(change);
    } else {
      // What was said is kept first: if writing fails, the chunks stay in the queue as approved.
      inTransaction(queue.database, () => {
        for (const chunk of chunks) {
          const state = chunk.chosen === null ? 'approved' : 'modified';
          decideChunk(queue.database, chunk.id, { ...chunk, state });
        }
      });
      openRun(queue.database, { id: stamp.run, startedAt: stamp.at, command });
      this.#failures.push(...commitBatch(queue, stamp.run, plan.changes));
    }
    const failed = new Set(this.#failures.flatMap((failure) => failure.chunks));
    for (const chunk of chunks) {
      if (failed.has(chunk.id)) continue;
      const target = destinationOf(chunk);
      this.#committed.set(target, (this.#committed.get(target) ?? 0) + 1);
    }
  }

  #wait(chunk: QueuedChunk, reason: WaitingReason): null {
    this.#waiting.push({ chunk, reason });
    return null;
  }

  #reject(chunk: QueuedChunk): null {
    this.#rejected += 1;
    if (!this.#deps.dryRun) decideChunk(this.#deps.queue.database, chunk.id, { ...chunk, state: 'rejected' });
    return null;
  }
}

function isDimension(target: Target): boolean {
  return idealStateTargets.some((dimension) => dimension === target);
}
