import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import type { PaidCall } from './paid-call.ts';

/** Declarations of a domain. Nothing here runs: wiring passes the declarations to `startEngine`. */
export interface EngineDeclarations {
  /** Work that a caller enqueues. */
  readonly workflows?: readonly AnyWorkflow[];
  /** Editions that should exist by now: missing ones are created, however late. */
  readonly editions?: readonly EditionSet[];
  /** Work of the current hour, day or month: a missed period is skipped. */
  readonly recurringTasks?: readonly RecurringTask[];
  /** Polls for work every few seconds, in every process. */
  readonly sweeps?: readonly Sweep[];
}

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
  /** Polling interval of an idle process; one second by default. */
  readonly pollIntervalMs?: number;
}

export interface WorkflowDeclaration<Input, Output> {
  readonly name: string;
  /**
   * Raised when steps are added, removed, reordered or renamed; 1 by default. A run that another version began is
   * finished by that version while a process of it runs; afterwards it restarts under this one and reuses the results
   * of its transactions and paid calls, by the names of their steps. So a step whose output changes its form needs
   * another name, and `run` accepts the inputs of earlier versions.
   */
  readonly version?: number;
  readonly queue: QueueDeclaration;
  /**
   * Runs again from its start after a crash, with the results of its finished steps. So it must take the same steps
   * in the same order each time: reads of a clock, a table or the network belong inside a step.
   */
  readonly run: (context: WorkflowContext, input: Input) => Promise<Output>;
}

export type AnyWorkflow = WorkflowDeclaration<never, unknown>;

export interface StepRetry {
  readonly attemptsMax: number;
  readonly firstDelaySeconds: number;
  readonly backoffFactor: number;
}

export interface EnqueueRequest<Input> {
  /** Identifies the work, so that enqueuing twice runs it once. */
  readonly id: string;
  readonly input: Input;
  /** Required for queues with a limit per key, and only for those. */
  readonly key?: string;
}

/** The workflow exists if and only if the caller's transaction commits. */
export type Enqueue = <Input>(
  transaction: Transaction<DB>,
  workflow: WorkflowDeclaration<Input, unknown>,
  request: EnqueueRequest<Input>,
) => Promise<void>;

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
  readonly enqueue: Enqueue;
}

export interface EditionInput {
  readonly key: string;
}

/** A set of editions that should exist by now. The engine polls it; it has no timer per edition. */
export interface EditionSet {
  readonly name: string;
  readonly workflow: WorkflowDeclaration<EditionInput, unknown>;
  /** The keys of all editions that should exist at this time, oldest first; bounded by the domain. */
  readonly due: (nowMs: number) => readonly string[];
  /** Which of these exist. By default, an edition exists when its workflow has succeeded. */
  readonly existing?: (transaction: Transaction<DB>, keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Pause before a failed run restarts, in calendar time; five minutes by default. */
  readonly retryAfterMs?: number;
}

/** Runs once in each period, in one process. A period without a running process is skipped. */
export interface RecurringTask {
  /** Also the name of its workflow. */
  readonly name: string;
  /** Periods of the UTC calendar; a number of minutes divides the hour. */
  readonly every: 'hour' | 'day' | 'month' | { readonly minutes: number };
  readonly version?: number;
  /** The queue `maintenance` by default. */
  readonly queue?: QueueDeclaration;
  readonly run: (context: WorkflowContext) => Promise<unknown>;
  /** Pause before a failed run restarts within its period; five minutes by default. */
  readonly retryAfterMs?: number;
}

/** Finds and claims work in tables of its own domain, where a workflow for each row would cost too much. */
export interface Sweep {
  readonly name: string;
  /** From the end of one run to the start of the next, in calendar time. */
  readonly everySeconds: number;
  /** One run at a time per process, but every process has one: claims need a lease and `SKIP LOCKED`. */
  readonly run: (context: SweepContext) => Promise<void>;
}

export interface SweepContext {
  /** Epoch of this process, for leases: an ended epoch never writes again through `transaction`. */
  readonly epoch: number;
  /** Fenced: commits only while this process may work. Retried after a broken connection. */
  readonly transaction: <Output>(work: (transaction: Transaction<DB>) => Promise<Output>) => Promise<Output>;
  readonly enqueue: Enqueue;
  /** Aborted when the process stops: return soon; unfinished work is done later. */
  readonly signal: AbortSignal;
}
