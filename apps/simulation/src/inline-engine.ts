import { retryConcurrentChanges } from '../../server/src/foundation/database/concurrent-change.ts';
import type { Database } from '../../server/src/foundation/database/database.ts';
import type {
  EditionSet,
  Enqueue,
  SweepContext,
  WorkflowContext,
} from '../../server/src/foundation/engine/engine-declarations.ts';

type WaitingRun = (context: WorkflowContext) => Promise<unknown>;

/**
 * Runs the declarations of domains immediately in this process. Its state is not stored: a resumed history
 * continues from the state of the database.
 */
export class InlineEngine {
  readonly #database: Database;
  readonly #runningMax: number;
  readonly #waiting = new Map<string, WaitingRun>();
  /** Editions known to exist, which are not queried again. */
  readonly #made = new Set<string>();

  constructor(database: Database, runningMax: number) {
    this.#database = database;
    this.#runningMax = runningMax;
  }

  readonly transaction: SweepContext['transaction'] = (work) =>
    retryConcurrentChanges(this.#database, () => this.#database.transaction().execute(work));

  readonly enqueue: Enqueue = async (_transaction, workflow, { id, input }) => {
    this.#waiting.set(id, (context) => workflow.run(context, input));
  };

  /** Runs all enqueued work with limited concurrency, including work enqueued meanwhile. */
  async drain(): Promise<void> {
    const work = async (): Promise<void> => {
      for (const [id, run] of this.#waiting) {
        this.#waiting.delete(id);
        await run(this.context(id));
      }
    };
    while (this.#waiting.size > 0) await Promise.all(Array.from({ length: this.#runningMax }, work));
  }

  context(workflowId: string): WorkflowContext {
    return {
      workflowId,
      step: (_name, work) => work(new AbortController().signal),
      transaction: (_name, work) => this.transaction(work),
      paid: () => Promise.reject(new Error('nothing is paid for while a history is played')),
      enqueue: this.enqueue,
    };
  }

  /** Compiles missing editions; one that fails is retried at the next call. */
  async reconcile(set: EditionSet, nowMs: number): Promise<void> {
    const due = set.due(nowMs).filter((key) => !this.#made.has(`${set.name}/${key}`));
    if (due.length === 0) return;
    const existing = await this.transaction(
      (transaction) => set.existing?.(transaction, due) ?? Promise.resolve(new Set<string>()),
    );
    for (const key of due) {
      const id = `${set.name}/${key}`;
      const made = existing.has(key) || (await this.#succeeds(set, id, key));
      if (made) this.#made.add(id);
    }
  }

  async #succeeds(set: EditionSet, id: string, key: string): Promise<boolean> {
    return set.workflow.run(this.context(id), { key }).then(
      () => true,
      () => false,
    );
  }
}
