import { hostname } from 'node:os';

import { DBOS } from '@dbos-inc/dbos-sdk';
import type pg from 'pg';

import type { CalendarClock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { TransientCause } from '../database/transient-error.ts';
import type { Logger } from '../logger.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createReconciler } from './edition-reconciler.ts';
import type { EngineClient } from './engine-client.ts';
import { engineApplication } from './engine-client.ts';
import type { AnyWorkflow, EngineDeclarations, QueueDeclaration, Sweep } from './engine-declarations.ts';
import { createEnginePool } from './engine-pool.ts';
import type { EpochFence } from './epoch-fence.ts';
import { createEpochFence } from './epoch-fence.ts';
import { acquireExecutorLock } from './executor-lock.ts';
import { executorName, leaveEpoch } from './executor-store.ts';
import { createTakeover } from './executor-takeover.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import { runFenced } from './fenced-transaction.ts';
import type { RepeatedTask } from './repeated-task.ts';
import { startRepeatedTask } from './repeated-task.ts';
import { sdkLogger } from './sdk-logger.ts';
import { createStepTracing, traceRun } from './trace-runs.ts';
import { createWorkflowAdoption } from './workflow-adoption.ts';
import { createWorkflowContext, never } from './workflow-context.ts';
import { restartFailedWorkflows } from './workflow-history-store.ts';
import type { DeclaredWork } from './workflow-release.ts';
import { collectDeclarations } from './workflow-release.ts';

export interface EngineTimings {
  /** A process that sends no heartbeat for this long has lost its lock. */
  readonly lockHeartbeatTimeoutMs: number;
  /** How long a lock must be free before others take over the work. */
  readonly takeoverGraceMs: number;
  readonly takeoverEveryMs: number;
  /** In calendar time, unlike the others. */
  readonly reconcileEveryMs: number;
  readonly connectWithinMs: number;
  /** A process whose event loop is blocked for this long releases its work. */
  readonly loopStuckAfterMs: number;
  readonly restartEveryMs: number;
  /** Factor of the pause before a failed run restarts: shorter in tests. */
  readonly restShare: number;
}

export const engineTimings: EngineTimings = {
  lockHeartbeatTimeoutMs: 8_000,
  takeoverGraceMs: 10_000,
  takeoverEveryMs: 1_000,
  reconcileEveryMs: 60_000,
  connectWithinMs: 60_000,
  loopStuckAfterMs: 5 * 60_000,
  restartEveryMs: 30_000,
  restShare: 1,
};

const restartedAtOnceMax = 100;

/** Minimum interval between database polls, however fast the calendar runs. */
const calendarTaskEveryMsMin = 50;

export interface EngineDeps {
  readonly database: Database;
  /** The application login's address, for the engine's own pool. */
  readonly databaseUrl: string;
  /** Whether that address leads through a pooler in transaction mode. */
  readonly throughPooler?: boolean;
  /** The same login direct to PostgreSQL, bypassing any pooler. */
  readonly lockUrl: string;
  readonly client: EngineClient;
  /** Clock of editions, recurring tasks, retries and sweeps. Leases, takeover and time-outs use real time. */
  readonly clock: CalendarClock;
  readonly logger: Logger;
  readonly connectionsMax: number;
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
  readonly timings?: Partial<EngineTimings>;
  /** A sweep, an edition set or a task of the engine failed; it is logged and retried. */
  readonly onTaskFailed?: (task: string) => void;
  /** A step of a workflow met a transient error and is retried. */
  readonly onRetry?: (cause: TransientCause) => void;
  /** Called when this process may no longer work: it must not resume. */
  readonly endProcess?: (reason: string) => void;
}

export interface Engine {
  readonly epoch: number;
  readonly fence: EpochFence;
  /** Takes no new work, waits this long for running work, and leaves the rest to other processes. */
  readonly stop: (drainMs: number) => Promise<void>;
}

const exitCodeLost = 75;

/** Starts the engine. One per process: the SDK beneath is a singleton. */
export async function startEngine(
  deps: EngineDeps,
  declarations: readonly EngineDeclarations[],
): Promise<Engine> {
  const timings = { ...engineTimings, ...deps.timings };
  const declared = collectDeclarations(declarations);
  const end = endOnce(deps);
  const lock = await acquireExecutorLock({
    url: deps.lockUrl,
    self: {
      host: hostname(),
      processId: process.pid,
      release: declared.release,
      versions: declared.versions,
    },
    heartbeatTimeoutMs: timings.lockHeartbeatTimeoutMs,
    connectWithinMs: timings.connectWithinMs,
    loopStuckAfterMs: timings.loopStuckAfterMs,
    onLost: end,
    onSession: (state, detail) =>
      state === 'broken'
        ? deps.logger.warn({ detail }, 'the session of the executor lock broke')
        : deps.logger.info('the executor lock is held again'),
  });
  const fence = createEpochFence(lock.epoch, end);
  const fenced: FencedDeps = { database: deps.database, fence, epoch: lock.epoch };
  const pool = createEnginePool({
    url: deps.databaseUrl,
    connectionsMax: deps.connectionsMax,
    throughPooler: deps.throughPooler ?? false,
  });
  const running = new Set<string>();
  const leaving = new AbortController();
  try {
    await launch(deps, pool, declared, { ...fenced, running, leaving: leaving.signal });
  } catch (error) {
    await pool.end();
    await lock.release();
    throw error;
  }
  const stopping = new AbortController();
  const tasks = startTasks(deps, timings, fenced, declared, { running, stopping: stopping.signal });
  deps.logger.info({ epoch: lock.epoch, release: declared.release }, 'the engine works');
  return {
    epoch: lock.epoch,
    fence,
    stop: async (drainMs) => {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.stop()));
      const timer = setTimeout(() => leaving.abort(), drainMs);
      await DBOS.shutdown({ workflowCompletionTimeoutMS: drainMs, deregister: true });
      clearTimeout(timer);
      leaving.abort();
      await pool.end();
      await leaveEpoch(deps.database, lock.epoch);
      await lock.release();
    },
  };
}

interface RunDeps extends FencedDeps {
  /** Ids of the workflows that run in this process. */
  readonly running: Set<string>;
  readonly leaving: AbortSignal;
}

async function launch(deps: EngineDeps, pool: pg.Pool, declared: DeclaredWork, run: RunDeps): Promise<void> {
  for (const workflow of declared.workflows) registerWorkflow(deps, run, workflow);
  DBOS.setConfig({
    name: engineApplication,
    applicationVersion: declared.release,
    executorID: executorName(run.epoch),
    systemDatabaseUrl: deps.databaseUrl,
    systemDatabasePool: pool,
    // Notifications are for messages and events between workflows, which Daybook does not use.
    useListenNotify: false,
    runMigrations: false,
    enableOTLP: false,
    logger: sdkLogger(deps.logger),
  });
  await DBOS.launch();
  // A release that ran before is not the latest by itself, and only the latest may change queues.
  await DBOS.setLatestApplicationVersion(declared.release);
  for (const queue of declared.queues)
    await DBOS.registerQueue(queue.name, queueOptions(queue, deps.clock.speed));
}

function registerWorkflow(deps: EngineDeps, runDeps: RunDeps, { name, run }: AnyWorkflow): void {
  const { running, leaving } = runDeps;
  const { logger, onRetry = () => {}, tracer = null } = deps;
  const contextDeps = { ...runDeps, logger, onRetry, enqueue: deps.client.enqueue };
  const runAny = run as (context: unknown, input: unknown) => Promise<unknown>;
  DBOS.registerWorkflow(
    async (input: unknown, traceParent?: unknown) => {
      const workflowId = DBOS.workflowID ?? '';
      const traceStep = createStepTracing(tracer, name, workflowId);
      const context = createWorkflowContext({ ...contextDeps, traceStep }, workflowId);
      running.add(workflowId);
      try {
        return await traceRun(tracer, { workflow: name, workflowId, traceParent }, () =>
          runAny(context, input),
        );
      } catch (error) {
        // The SDK has been shut down beneath it: the work did not fail; it continues in another process.
        if (leaving.aborted) return await never();
        deps.logger.warn({ err: error, workflow: name, workflowId }, 'a workflow failed');
        throw error;
      } finally {
        running.delete(workflowId);
      }
    },
    { name },
  );
}

function queueOptions(
  queue: QueueDeclaration,
  speed: number,
): Parameters<typeof DBOS.registerQueue>[1] & object {
  const { runningMax, runningPerProcessMax, runningPerKeyMax, startsMax, pollIntervalMs = 1_000 } = queue;
  // A fast calendar brings work sooner than every second.
  const minPollingIntervalMs = Math.max(
    Math.min(calendarTaskEveryMsMin, pollIntervalMs),
    pollIntervalMs / speed,
  );
  return {
    ...(runningMax !== undefined && { globalConcurrency: runningMax }),
    ...(runningPerProcessMax !== undefined && { workerConcurrency: runningPerProcessMax }),
    ...(runningPerKeyMax !== undefined && { partitionConcurrency: runningPerKeyMax }),
    ...(startsMax && { rateLimit: { limitPerPeriod: startsMax.count, periodSec: startsMax.periodSeconds } }),
    minPollingIntervalMs,
  };
}

function startTasks(
  deps: EngineDeps,
  timings: EngineTimings,
  fenced: FencedDeps,
  declared: DeclaredWork,
  { running, stopping }: { readonly running: ReadonlySet<string>; readonly stopping: AbortSignal },
): readonly RepeatedTask[] {
  const { database, logger, clock } = deps;
  const { enqueue } = deps.client;
  const onFailed = (task: string, error: unknown): void => {
    logger.error({ err: error, task }, 'an engine task failed');
    deps.onTaskFailed?.(task);
  };
  const start = (name: string, everyMs: number, run: () => Promise<void>): RepeatedTask =>
    startRepeatedTask({ everyMs, run, onError: (error) => onFailed(name, error) });
  const startByCalendar = (name: string, everyMs: number, run: () => Promise<void>): RepeatedTask =>
    start(name, Math.max(calendarTaskEveryMsMin, everyMs / clock.speed), run);
  const takeover = createTakeover({
    database,
    logger,
    epoch: fenced.epoch,
    graceMs: timings.takeoverGraceMs,
  });
  const adoption = createWorkflowAdoption({ ...fenced, logger, running }, declared);
  const sets = declared.editions;
  const reconcile = createReconciler({ ...fenced, clock, enqueue, logger, sets, onSetFailed: onFailed });
  const sweepContext = {
    epoch: fenced.epoch,
    transaction: <Output>(work: Parameters<typeof runFenced<Output>>[1]) => runFenced(fenced, work),
    enqueue,
    signal: stopping,
  };
  const startSweep = ({ name, everySeconds, run }: Sweep): RepeatedTask =>
    startByCalendar(name, everySeconds * 1_000, () => run(sweepContext));
  return [
    start('takeover', timings.takeoverEveryMs, takeover),
    start('adoption', timings.takeoverEveryMs, adoption),
    start('restart-failed', timings.restartEveryMs, () => restartFailed(deps, timings, fenced, declared)),
    startByCalendar('reconcile', timings.reconcileEveryMs, reconcile),
    ...declared.sweeps.map(startSweep),
  ];
}

async function restartFailed(
  { logger }: EngineDeps,
  { restShare }: EngineTimings,
  fenced: FencedDeps,
  { restarted: names }: DeclaredWork,
): Promise<void> {
  const ids = await runFenced(fenced, (transaction) =>
    restartFailedWorkflows(transaction, { names, limit: restartedAtOnceMax, restShare }),
  );
  if (ids.length > 0) logger.info({ workflows: ids.length }, 'failed workflows are restarted');
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
