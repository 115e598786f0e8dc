import { setImmediate } from 'node:timers/promises';

import { saveLinks } from '../links/link-store.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { markApproved, markCommitted, readChunks } from '../queue/chunk-store.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { CommitFailure } from './apply-changes.ts';
import { applyChanges } from './apply-changes.ts';
import type { WaitingReason } from './approval-question.ts';
import { StoppedError } from './approval-question.ts';
import type { Approval, ApprovalDeps } from './ask-approval.ts';
import { askApproval } from './ask-approval.ts';
import { saveAttachment } from './attachment-planner.ts';
import type { CommitPlan, PlanDeps } from './commit-plan.ts';
import { CommitPlanner } from './commit-plan.ts';
import type { FileChange } from './file-change.ts';
import { undoHalfWritten } from './journal-recovery.ts';
import { openRun } from './journal-store.ts';
import { relink } from './relink.ts';

export interface CommitDeps extends ApprovalDeps, PlanDeps {
  readonly command: string;
  readonly dryRun: boolean;
  /** The user stopped while files were written. */
  readonly isStopped: () => boolean;
  /** What a dry run would change, file by file. */
  readonly onPreview: (change: FileChange) => void;
  readonly onProgress: (done: number) => void;
}

export interface CommitOutcome {
  readonly run: string;
  readonly committed: ReadonlyMap<Target, number>;
  readonly waiting: readonly {
    readonly id: string;
    readonly source: string;
    readonly reason: WaitingReason;
  }[];
  readonly failures: readonly (CommitFailure & { readonly chunks: number })[];
  readonly rejected: number;
  /** By the user, before all questions and writes were done. */
  readonly stopped: boolean;
}

export function emptyOutcome(run: string): CommitOutcome {
  return { run, committed: new Map(), waiting: [], failures: [], rejected: 0, stopped: false };
}

/** A file that chunks are appended to is written once for many of them; each note of its own is a file. */
const page = { chunksMax: 200, appendedChunksMax: 20_000, charsMax: 4_000_000 } as const;

/** Asks all questions, then commits the rest, target by target. UNCLEAR chunks are never among them. */
export async function commitChunks(deps: CommitDeps, filter: ChunkFilter): Promise<CommitOutcome> {
  const committer = new Committer(deps);
  const chunks = (): Iterable<QueuedChunk> => routable(deps, filter);
  try {
    const approval = await askApproval(deps, chunks);
    await committer.commit(approval, filter);
    if (!deps.dryRun) relink(deps.queue, deps.layout);
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    committer.stop();
  }
  return committer.outcome();
}

function* routable({ queue }: CommitDeps, filter: ChunkFilter): Generator<QueuedChunk> {
  for (const chunk of readChunks(queue.database, filter)) if (destinationOf(chunk) !== 'UNCLEAR') yield chunk;
}

/** Target by target, in the order in which they are written. */
function* approved(deps: CommitDeps, filter: ChunkFilter, approval: Approval): Generator<QueuedChunk> {
  for (const chunk of routable(deps, filter)) {
    if (!approval.waiting.has(chunk.id) && !approval.rejected.has(chunk.id)) yield chunk;
  }
}

class Committer {
  readonly #deps: CommitDeps;
  readonly #planner: CommitPlanner;
  readonly #committed = new Map<Target, number>();
  readonly #waiting: CommitOutcome['waiting'][number][] = [];
  readonly #failures: CommitOutcome['failures'][number][] = [];
  #rejected = 0;
  #done = 0;
  #isStopped = false;

  constructor(deps: CommitDeps) {
    this.#deps = deps;
    this.#planner = new CommitPlanner(deps);
  }

  async commit(approval: Approval, filter: ChunkFilter): Promise<void> {
    this.#rejected = approval.rejected.size;
    this.#planner.assign(approved(this.#deps, filter, approval));
    for (const target of targets) {
      if (target === 'UNCLEAR' || (filter.target !== undefined && filter.target !== target)) continue;
      await this.#commitTarget(target, approval, { ...filter, target });
    }
  }

  async #commitTarget(target: Target, approval: Approval, filter: ChunkFilter): Promise<void> {
    const { queue, layout } = this.#deps;
    const isAppended = target !== 'AI_RULES' && target !== 'UNCLEAR' && layout.place(target).kind === 'file';
    const chunksMax = isAppended ? page.appendedChunksMax : page.chunksMax;
    let chunks: QueuedChunk[] = [];
    let chars = 0;
    for (const chunk of readChunks(queue.database, filter)) {
      const reason = approval.waiting.get(chunk.id);
      if (reason !== undefined) this.#waiting.push({ id: chunk.id, source: chunk.source, reason });
      if (reason !== undefined || approval.rejected.has(chunk.id)) continue;
      chunks.push(chunk);
      chars += chunk.text.length;
      if (chunks.length < chunksMax && chars < page.charsMax) continue;
      await this.#commitPage(target, chunks);
      chunks = [];
      chars = 0;
    }
    if (chunks.length > 0) await this.#commitPage(target, chunks);
  }

  async #commitPage(target: Target, chunks: readonly QueuedChunk[]): Promise<void> {
    const plan = this.#planner.plan(chunks);
    const { changes, refused } = plan;
    for (const { chunk, reason } of refused) {
      this.#failures.push({ path: destinationOf(chunk), chunks: 1, reason });
    }
    const failed = new Set(refused.map(({ chunk }) => chunk.id));
    if (this.#deps.dryRun) for (const change of changes) this.#deps.onPreview(change);
    else this.#write(chunks, plan, failed);
    const count = chunks.length - failed.size;
    if (count > 0) this.#committed.set(target, (this.#committed.get(target) ?? 0) + count);
    this.#done += chunks.length;
    this.#deps.onProgress(this.#done);
    // Lets a pressed Ctrl-C be seen: writing itself never yields.
    await setImmediate();
    if (this.#deps.isStopped()) throw new StoppedError();
  }

  #write(chunks: readonly QueuedChunk[], plan: CommitPlan, failed: Set<string>): void {
    const { queue, stamp, command } = this.#deps;
    const { database } = queue;
    // Answers are saved first: if writing fails, the chunks stay in the queue as approved.
    inTransaction(database, () => {
      markApproved(
        database,
        chunks.map(({ id }) => id),
      );
      openRun(database, { id: stamp.run, startedAt: stamp.at, command });
    });
    applyChanges(queue, stamp.run, plan.changes, (failures) => {
      for (const [{ add }, failure] of failures) {
        this.#failures.push({ ...failure, chunks: add.length });
        for (const { chunk } of add) failed.add(chunk);
      }
      const written = chunks.filter(({ id }) => !failed.has(id)).map(({ id }) => id);
      markCommitted(database, written, stamp.run);
      for (const id of written) saveLinks(database, id, plan.links.get(id) ?? []);
      for (const copy of plan.copies) saveAttachment(database, copy);
    });
    if (failed.size > 0) undoHalfWritten(queue);
  }

  stop(): void {
    this.#isStopped = true;
  }

  outcome(): CommitOutcome {
    return {
      run: this.#deps.stamp.run,
      committed: this.#committed,
      waiting: this.#waiting,
      failures: this.#failures,
      rejected: this.#rejected,
      stopped: this.#isStopped,
    };
  }
}
