import { hostname } from 'node:os';

import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';

import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { createReconciler } from './edition-reconciler.ts';
import type { EngineClient } from './engine-client.ts';
import { engineApplication } from './engine-client.ts';
import type { AnyWorkflow, EditionSet, QueueDeclaration } from './engine-declarations.ts';
import type { EpochFence } from './epoch-fence.ts';
import { createEpochFence } from './epoch-fence.ts';
import type { ExecutorLock } from './executor-lock.ts';
import { acquireExecutorLock } from './executor-lock.ts';
import { executorName, leaveEpoch } from './executor-store.ts';
import { createTakeover } from './executor-takeover.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import type { RepeatedTask } from './repeated-task.ts';
import { startRepeatedTask } from './repeated-task.ts';
import { sdkLogger } from './sdk-logger.ts';
import { createWorkflowContext } from './workflow-context.ts';

export interface EngineTimings {
  /** A process that is silent for this long has lost its lock. */
  readonly lockSilenceMaxMs: number;
  /** How long a lock must be free before others take the work over. */
  readonly takeoverGraceMs: number;
  readonly takeoverEveryMs: number;
  readonly reconcileEveryMs: number;
  readonly connectWithinMs: number;
}

export const engineTimings: EngineTimings = {
  lockSilenceMaxMs: 8_000,
  takeoverGraceMs: 10_000,
  takeoverEveryMs: 1_000,
  reconcileEveryMs: 60_000,
  connectWithinMs: 60_000,
};

export interface EngineDeps {
  readonly database: Database;
  /** The application login's address for the engine's own pool. */
  readonly databaseUrl: string;
  /** The same login straight to PostgreSQL, past any pooler. */
  readonly lockUrl: string;
  readonly client: EngineClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A workflow is only ever continued by the version that began it. Change it when steps change. */
  readonly applicationVersion: string;
  readonly connectionsMax: number;
  readonly timings?: Partial<EngineTimings>;
  /** Called when this process may no longer work: it must not return to work. */
  readonly endProcess?: (reason: string) => void;
}

export interface EngineDeclarations {
  readonly workflows: readonly AnyWorkflow[];
  readonly editions: readonly EditionSet[];
}

export interface Engine {
  readonly epoch: number;
  readonly fence: EpochFence;
  /** Takes no new work, gives what runs this long to end, and leaves the rest to others. */
  readonly stop: (drainMs: number) => Promise<void>;
}

const exitCodeLost = 75;

/** Begins to work. One per process: the SDK beneath is a singleton. */
export async function startEngine(deps: EngineDeps, declared: EngineDeclarations): Promise<Engine> {
  const timings = { ...engineTimings, ...deps.timings };
  const end = endOnce(deps);
  const lock = await acquireExecutorLock({
    url: deps.lockUrl,
    self: { host: hostname(), processId: process.pid, applicationVersion: deps.applicationVersion },
    silenceMaxMs: timings.lockSilenceMaxMs,
    connectWithinMs: timings.connectWithinMs,
    onLost: end,
  });
  const fence = createEpochFence(lock.epoch, end);
  const fenced: FencedDeps = { database: deps.database, fence, epoch: lock.epoch };
  try {
    await launch(deps, fenced, declared);
  } catch (error) {
    await lock.release();
    throw error;
  }
  const tasks = startTasks(deps, timings, fenced, declared.editions);
  deps.logger.info({ epoch: lock.epoch, version: deps.applicationVersion }, 'the engine works');
  return { epoch: lock.epoch, fence, stop: (drainMs) => stopEngine(deps, lock, tasks, drainMs) };
}

async function launch(deps: EngineDeps, fenced: FencedDeps, declared: EngineDeclarations): Promise<void> {
  const workflows = new Set<AnyWorkflow>([
    ...declared.workflows,
    ...declared.editions.map((set) => set.workflow),
  ]);
  for (const workflow of workflows) {
    const run = workflow.run as (context: unknown, input: unknown) => Promise<unknown>;
    DBOS.registerWorkflow(
      (input: unknown) => run(createWorkflowContext(fenced, DBOS.workflowID ?? ''), input),
      { name: workflow.name },
    );
  }
  DBOS.setConfig({
    name: engineApplication,
    applicationVersion: deps.applicationVersion,
    executorID: executorName(fenced.epoch),
    systemDatabaseUrl: deps.databaseUrl,
    systemDatabasePoolSize: deps.connectionsMax,
    // A frozen process must not keep the rows of its work locked against those who take it over.
    systemDatabaseIdleTransactionTimeoutMs: 5_000,
    runMigrations: false,
    enableOTLP: false,
    logger: sdkLogger(deps.logger),
  });
  await DBOS.launch();
  const queues = new Map([...workflows].map(({ queue }) => [queue.name, queue]));
  for (const queue of queues.values()) await DBOS.registerQueue(queue.name, queueOptions(queue));
}

function queueOptions(queue: QueueDeclaration): Parameters<typeof DBOS.registerQueue>[1] & object {
  const { runningMax, runningPerProcessMax, runningPerKeyMax, startsMax, pollIntervalMs } = queue;
  return {
    ...(runningMax !== undefined && { globalConcurrency: runningMax }),
    ...(runningPerProcessMax !== undefined && { workerConcurrency: runningPerProcessMax }),
    ...(runningPerKeyMax !== undefined && { partitionConcurrency: runningPerKeyMax }),
    ...(startsMax && { rateLimit: { limitPerPeriod: startsMax.count, periodSec: startsMax.periodSeconds } }),
    ...(pollIntervalMs !== undefined && { minPollingIntervalMs: pollIntervalMs }),
  };
}

function startTasks(
  deps: EngineDeps,
  timings: EngineTimings,
  fenced: FencedDeps,
  sets: readonly EditionSet[],
): readonly RepeatedTask[] {
  const takeover = createTakeover({
    database: deps.database,
    logger: deps.logger,
    epoch: fenced.epoch,
    graceMs: timings.takeoverGraceMs,
    monotonicMs: () => performance.now(),
    recover: recoverWorkflows,
  });
  const reconcile = createReconciler({
    ...fenced,
    clock: deps.clock,
    client: deps.client,
    logger: deps.logger,
    sets,
  });
  const task = (name: string, everyMs: number, run: () => Promise<void>): RepeatedTask =>
    startRepeatedTask({
      everyMs,
      run,
      onError: (error) => deps.logger.error({ err: error, task: name }, 'an engine task failed'),
    });
  return [
    task('takeover', timings.takeoverEveryMs, takeover),
    task('reconcile', timings.reconcileEveryMs, reconcile),
  ];
}

/** Conditional on the executor's name and the running state, so two survivors never take the same workflow. */
async function recoverWorkflows(executors: readonly string[]): Promise<number> {
  return (await DBOSExecutor.globalInstance?.recoverPendingWorkflows([...executors]))?.length ?? 0;
}

async function stopEngine(
  deps: EngineDeps,
  lock: ExecutorLock,
  tasks: readonly RepeatedTask[],
  drainMs: number,
): Promise<void> {
  for (const task of tasks) await task.stop();
  await DBOS.shutdown({ workflowCompletionTimeoutMS: drainMs, deregister: true });
  await leaveEpoch(deps.database, lock.epoch);
  await lock.release();
}

function endOnce(deps: EngineDeps): (reason: string) => void {
  let ended = false;
  const endProcess = deps.endProcess ?? (() => process.exit(exitCodeLost));
  return (reason) => {
    if (ended) return;
    ended = true;
    deps.logger.error({ reason }, 'this executor has lost its place and ends itself');
    endProcess(reason);
  };
}
