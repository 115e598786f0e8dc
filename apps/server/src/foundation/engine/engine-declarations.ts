import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import type { PaidCall } from './paid-call.ts';

/** What a domain declares. Nothing here runs: wiring hands the declarations to `createEngine`. */
export interface QueueDeclaration {
  readonly name: string;
  /** Workflows of this queue running at once, over all processes. */
  readonly runningMax?: number;
  /** Workflows of this queue running at once in one process. */
  readonly runningPerProcessMax?: number;
  /** Workflows running at once with the same key, over all processes; every enqueue then names a key. */
  readonly runningPerKeyMax?: number;
  /** Workflows started within a period, over all processes. */
  readonly startsMax?: { readonly count: number; readonly periodSeconds: number };
  /** How often an idle process asks for work; one second by default. */
  readonly pollIntervalMs?: number;
}

export interface WorkflowDeclaration<Input, Output> {
  readonly name: string;
  readonly queue: QueueDeclaration;
  /**
   * Runs again from its start after a crash, with what its finished steps returned. So it must take the same steps in
   * the same order each time: whatever reads a clock, a table or the network belongs inside a step.
   */
  readonly run: (context: WorkflowContext, input: Input) => Promise<Output>;
}

export type AnyWorkflow = WorkflowDeclaration<never, unknown>;

export interface StepRetry {
  readonly attemptsMax: number;
  readonly firstDelaySeconds: number;
  readonly backoffFactor: number;
}

export interface WorkflowContext {
  readonly workflowId: string;
  /** A unit that is not repeated once it has returned. A crash inside it repeats it. */
  readonly step: <Output>(
    name: string,
    work: (signal: AbortSignal) => Promise<Output>,
    retry?: StepRetry,
  ) => Promise<Output>;
  /**
   * A step whose writes and whose completion commit together, fenced: it takes effect exactly once, whatever fails.
   * Its output must survive JSON.
   */
  readonly transaction: <Output>(
    name: string,
    work: (transaction: Transaction<DB>) => Promise<Output>,
  ) => Promise<Output>;
  /** A step that spends money at most once. Its output must survive JSON. */
  readonly paid: <Output>(name: string, call: PaidCall<Output>) => Promise<Output>;
}

export interface EditionInput {
  readonly key: string;
}

/** A set of things that should exist by now. The engine asks; it never fires by the tick. */
export interface EditionSet {
  readonly name: string;
  readonly workflow: WorkflowDeclaration<EditionInput, unknown>;
  /** The keys of all editions that should exist at this time, oldest first; bounded by the domain. */
  readonly due: (nowMs: number) => readonly string[];
  /** Which of these exist. Without it, an edition exists when its workflow has succeeded. */
  readonly existing?: (transaction: Transaction<DB>, keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** How long a failed run rests before it is started anew; five minutes by default. */
  readonly retryAfterMs?: number;
}
