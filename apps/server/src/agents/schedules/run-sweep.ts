import { setTimeout as delay } from 'node:timers/promises';

import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import type { PerformDeps } from './perform-run.ts';
import { attemptsMax, performRun } from './perform-run.ts';
import type { ClaimedRun } from './run-store.ts';
import { claimRun, hasOpenRuns, insertDueRuns, releaseLeftRuns, saveUpload, settleRun } from './run-store.ts';

/** Concurrent runs of one process. */
const runsAtOnce = 2;
const schedulesPerTransaction = 100;
/** In real time; then the sweep checks for due schedules and leftovers again. */
const runMs = 20_000;
/** Between claims while runs are under way and none is due. */
const idleMs = 250;

/**
 * Runs due schedules. A run is inserted with the next due time of its schedule and claimed before it begins, so that
 * each due time runs at most once; what a killed worker had claimed is continued by another.
 */
export function createScheduleSweep(deps: PerformDeps): Sweep {
  return {
    name: 'run-agent-schedules',
    everySeconds: 5,
    run: async (context) => {
      const now = deps.clock.now();
      if (!(await hasOpenRuns(deps.database, now))) return;
      await context.transaction((trx) => releaseLeftRuns(trx, context.epoch, now, attemptsMax));
      const insert = (): Promise<number> =>
        context.transaction((trx) => insertDueRuns(trx, () => deps.ids.next(), now, schedulesPerTransaction));
      while (!context.signal.aborted && (await insert()) === schedulesPerTransaction);
      await runDue(deps, context);
    },
  };
}

async function runDue(deps: PerformDeps, context: SweepContext): Promise<void> {
  const { epoch, signal, transaction } = context;
  const endsAt = performance.now() + runMs;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (!signal.aborted && performance.now() < endsAt && failures.length === 0) {
    const run = await transaction((trx) => claimRun(trx, { epoch, now: deps.clock.now() }));
    if (run === null && running.size === 0) break;
    if (run !== null) {
      const ended = runOnce(deps, context, run)
        .catch((error: unknown) => failures.push(error))
        .then(() => void running.delete(ended));
      running.add(ended);
    }
    if (run === null) await Promise.race([...running, delay(idleMs)]);
    else if (running.size === runsAtOnce) await Promise.race(running);
  }
  // All end before the next run treats the remaining claims as leftovers.
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

async function runOnce(
  deps: PerformDeps,
  { signal, transaction }: SweepContext,
  run: ClaimedRun,
): Promise<void> {
  const outcome = await performRun(deps, run, {
    signal,
    saveUpload: async (uploadId) => {
      const isClaimed = await transaction((trx) => saveUpload(trx, run, uploadId));
      if (!isClaimed) throw new Error('the claim has ended');
    },
  });
  // A process that stops leaves its claim: another continues the run, which is no failed attempt of it.
  if (signal.aborted && outcome.state === 'waiting') return;
  await transaction((trx) => settleRun(trx, run, outcome, deps.clock.now()));
}
