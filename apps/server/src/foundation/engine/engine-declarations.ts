import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import type { PaidCall } from './paid-call.ts';

/** What a domain declares. Nothing here runs: wiring hands the declarations to `startEngine`. */
export interface EngineDeclarations {
  /** Work that somebody enqueues. */
  readonly workflows?: readonly AnyWorkflow[];
  /** Things that should exist by now: what is missing is made, however late. */
  readonly editions?: readonly EditionSet[];
  /** Work of the current hour, day or month: what was missed is not made up for. */
  readonly recurringTasks?: readonly RecurringTask[];
  /** Looks for work every few seconds, in every process. */
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
  /** How often an idle process asks for work; one second by default. */
  readonly pollIntervalMs?: number;
}

export interface WorkflowDeclaration<Input, Output> {
  readonly name: string;
  /**
   * Raised when steps are added, removed, reordered or named anew; 1 by default. A run that another version began is
   * ended by that version while a process of it lives; afterwards it starts anew under this one and gets back what its
   * transactions and paid calls brought, by the names of their steps. So a step whose output takes another form takes
   * another name, and `run` accepts the inputs of earlier versions.
   */
  readonly version?: number;
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

export interface EnqueueRequest<Input> {
  /** Says what is to be done, so that asking twice does it once. */
  readonly id: string;
  readonly input: Input;
  /** For queues with a limit per key, and only for those. */
  readonly key?: string;
}

/** The workflow exists if the caller's transaction commits, and not otherwise. */
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

/** A set of things that should exist by now. The engine asks; it never fires by the tick. */
export interface EditionSet {
  readonly name: string;
  readonly workflow: WorkflowDeclaration<EditionInput, unknown>;
  /** The keys of all editions that should exist at this time, oldest first; bounded by the domain. */
  readonly due: (nowMs: number) => readonly string[];
  /** Which of these exist. Without it, an edition exists when its workflow has succeeded. */
  readonly existing?: (transaction: Transaction<DB>, keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** How long a failed run rests before it is started anew, in calendar time; five minutes by default. */
  readonly retryAfterMs?: number;
}

/** Done once in each period, by whichever process comes first. A period nobody worked in is left out. */
export interface RecurringTask {
  /** Also the name of its workflow. */
  readonly name: string;
  /** Periods of the UTC calendar; a number of minutes divides the hour. */
  readonly every: 'hour' | 'day' | 'month' | { readonly minutes: number };
  readonly version?: number;
  /** The queue `maintenance` by default. */
  readonly queue?: QueueDeclaration;
  readonly run: (context: WorkflowContext) => Promise<unknown>;
  /** How long a failed run rests before it is started anew within its period; five minutes by default. */
  readonly retryAfterMs?: number;
}

/** Finds and claims work in tables of its own domain, where a workflow for each piece would cost too much. */
export interface Sweep {
  readonly name: string;
  /** From the end of one run to the start of the next, in calendar time. */
  readonly everySeconds: number;
  /** One run at a time in a process, but every process has its own: claims need a lease and `SKIP LOCKED`. */
  readonly run: (context: SweepContext) => Promise<void>;
}

export interface SweepContext {
  /** Of this process, for leases: an epoch that has ended never writes again through `transaction`. */
  readonly epoch: number;
  /** Fenced: commits only while this process may work. Tried again after a broken connection. */
  readonly transaction: <Output>(work: (transaction: Transaction<DB>) => Promise<Output>) => Promise<Output>;
  readonly enqueue: Enqueue;
  /** Aborted when the process stops: end soon, what is not done is done later. */
  readonly signal: AbortSignal;
}
