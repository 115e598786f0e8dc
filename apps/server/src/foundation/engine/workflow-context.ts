import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import type { TransientCause } from '../database/transient-error.ts';
import { retryTransient } from '../database/transient-error.ts';
import type { StepKey } from './committed-step-store.ts';
import { insertCommittedStep, readCommittedStep } from './committed-step-store.ts';
import type { Enqueue, WorkflowContext } from './engine-declarations.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import { runFenced } from './fenced-transaction.ts';
import type { PaidCallDeps } from './paid-call.ts';
import { performPaidCall } from './paid-call.ts';
import type { TraceStep } from './trace-runs.ts';

export interface WorkflowContextDeps extends Omit<PaidCallDeps, 'untilDone'> {
  readonly enqueue: Enqueue;
  /** Aborted when running work is left to other processes. */
  readonly leaving: AbortSignal;
  /** A step met a transient error and is retried. */
  readonly onRetry: (cause: TransientCause) => void;
  readonly traceStep: TraceStep;
}

/** For work left to other processes: it must neither continue nor be recorded as failed. */
export const never = <Output>(): Promise<Output> => new Promise(() => {});

/** The operations of a running workflow. Step names are unique within a workflow, because keys contain them. */
export function createWorkflowContext(deps: WorkflowContextDeps, workflowId: string): WorkflowContext {
  const taken = new Set<string>();
  const take = (name: string): string => {
    if (taken.has(name)) throw new Error(`workflow ${workflowId} has two steps named ${name}`);
    taken.add(name);
    return name;
  };
  // A run never fails because the database was slow or unreachable: its steps are retried.
  const untilDone = <Output>(work: () => Promise<Output>): Promise<Output> =>
    retryTransient(work, { signal: deps.leaving, onRetry: deps.onRetry });
  const run = <Output>(
    name: string,
    work: () => Promise<Output>,
    options: Parameters<typeof DBOS.runStep>[1] = {},
  ): Promise<Output> =>
    deps.leaving.aborted
      ? never()
      : DBOS.runStep(() => deps.traceStep(name, work), { name: take(name), ...options });
  return {
    workflowId,
    step: (name, work, retry) =>
      // A step with its own retry rule has errors of something other than the database.
      run(
        name,
        () => (retry ? work(cancelSignal()) : untilDone(() => work(cancelSignal()))),
        retry && {
          retriesAllowed: true,
          maxAttempts: retry.attemptsMax,
          intervalSeconds: retry.firstDelaySeconds,
          backoffRate: retry.backoffFactor,
        },
      ),
    transaction: (name, work) =>
      run(name, () => untilDone(() => commitOnce(deps, { workflowId, step: name }, work))),
    paid: (name, call) =>
      run(name, () =>
        performPaidCall(
          { ...deps, untilDone },
          { workflowId, key: `${workflowId}/${name}`, signal: cancelSignal() },
          call,
        ),
      ),
    enqueue: deps.enqueue,
  };
}

function commitOnce<Output>(
  deps: FencedDeps,
  key: StepKey,
  work: (transaction: Transaction<DB>) => Promise<Output>,
): Promise<Output> {
  return runFenced(deps, async (transaction) => {
    const before = await readCommittedStep(transaction, key);
    if (before !== undefined) return before.output as Output;
    const output = JSON.stringify((await work(transaction)) ?? null);
    await insertCommittedStep(transaction, { ...key, epoch: deps.epoch, output });
    return JSON.parse(output) as Output;
  });
}

/** Fires when the workflow is cancelled. */
function cancelSignal(): AbortSignal {
  return DBOS.stepStatus?.cancelSignal ?? new AbortController().signal;
}
