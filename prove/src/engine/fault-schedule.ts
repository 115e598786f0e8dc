import { setTimeout as delay } from 'node:timers/promises';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { EngineTimings } from '../../../apps/server/src/foundation/engine/engine.ts';
import { executorLockClass } from '../../../apps/server/src/foundation/engine/executor-store.ts';
import type { ArticleVersion } from './article-workflow.ts';
import type { EngineStage } from './engine-stage.ts';
import type { WorkerSupervisor } from './worker-supervisor.ts';

/** A deployment lets the process end in order; the next one in its place may run another version. */
export type FaultKind =
  | 'kill -9'
  | 'kill watcher'
  | 'freeze'
  | 'cut lock session'
  | 'restart database'
  | 'deploy';

export interface PlannedFault {
  readonly atSeconds: number;
  readonly kind: FaultKind;
  readonly slot: number;
  readonly freezeSeconds?: number;
  /** The database does not stop in good order. */
  readonly crash?: boolean;
  /** The version of the next process in this place. */
  readonly version?: ArticleVersion;
}

/** An injected fault and the process it hit. */
export interface Fault {
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly processes: readonly number[];
  /** When a frozen process was woken. */
  wokenAtMs?: number;
  /** When a process had ended after the signal to end. */
  readonly endedAtMs?: number;
}

export interface FaultPlan {
  readonly faults: readonly PlannedFault[];
  /** Less than what production uses where the run is short; see `engineTimings`. */
  readonly timings: Partial<EngineTimings>;
}

/**
 * One place is frozen; the other is killed at the moment it has seen the lock of the first free, then cut off and loses
 * its database; then they change places. Meanwhile the places are redeployed one after the other, so that two versions
 * work at once, one disappears, and in the full run returns.
 */
export function planFaults(quick: boolean): FaultPlan {
  if (quick) {
    return {
      timings: { lockHeartbeatTimeoutMs: 4_000, takeoverGraceMs: 5_000 },
      faults: [
        { atSeconds: 0, kind: 'restart database', slot: 0, crash: true },
        { atSeconds: 3, kind: 'freeze', slot: 0, freezeSeconds: 14 },
        { atSeconds: 4, kind: 'cut lock session', slot: 1 },
        { atSeconds: 7, kind: 'kill watcher', slot: 1, version: 2 },
        { atSeconds: 19, kind: 'deploy', slot: 0, version: 2 },
      ],
    };
  }
  const faults: PlannedFault[] = [];
  // Each fault leaves those before it the time to be mended: a takeover is measured from one fault, not from two.
  const [cycles, cycleSeconds] = [9, 95];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const base = 5 + cycle * cycleSeconds;
    const frozen = cycle % 2;
    const other = 1 - frozen;
    const version = cycle % 4 < 2 ? 2 : 1;
    faults.push(
      { atSeconds: base, kind: 'freeze', slot: frozen, freezeSeconds: 60 },
      { atSeconds: base + 8, kind: 'kill watcher', slot: other },
      { atSeconds: base + 32, kind: 'deploy', slot: other, version },
      { atSeconds: base + 40, kind: 'restart database', slot: other, crash: frozen === 1 },
      { atSeconds: base + 66, kind: 'cut lock session', slot: other },
    );
  }
  const end = 5 + cycles * cycleSeconds;
  faults.push(
    { atSeconds: end, kind: 'kill -9', slot: 0 },
    { atSeconds: end + 20, kind: 'kill -9', slot: 1 },
  );
  return { faults, timings: {} };
}

export async function dealFaults(deps: {
  readonly plan: readonly PlannedFault[];
  readonly stage: EngineStage;
  readonly supervisor: WorkerSupervisor;
  readonly note: (text: string) => void;
}): Promise<readonly Fault[]> {
  const startedAtMs = systemClock.nowMs();
  const faults: Fault[] = [];
  const wakes: Promise<void>[] = [];
  for (const [index, planned] of deps.plan.entries()) {
    await delay(Math.max(0, startedAtMs + planned.atSeconds * 1_000 - systemClock.nowMs()));
    deps.note(`fault ${index + 1} of ${deps.plan.length}: ${planned.kind}`);
    const frozen = faults.findLast(({ kind }) => kind === 'freeze')?.processes[0] ?? 0;
    const fault = await deal(deps, planned, frozen);
    faults.push(fault);
    if (planned.freezeSeconds !== undefined) {
      wakes.push(wake(deps.supervisor, planned.slot, planned.freezeSeconds, fault));
    }
  }
  await Promise.all(wakes);
  return faults;
}

async function deal(
  { stage, supervisor }: { readonly stage: EngineStage; readonly supervisor: WorkerSupervisor },
  { kind, slot, crash, version }: PlannedFault,
  frozen: number,
): Promise<Fault> {
  // A process that has no workflow under way has nothing to lose.
  if (kind === 'freeze' || kind === 'deploy') {
    while (!(await isAtWork(stage, supervisor.processId(slot)))) await delay(50);
  }
  if (kind === 'kill watcher') while (!(await isLockSeenFree(stage, frozen))) await delay(50);
  if (version !== undefined) supervisor.setVersion(slot, version);
  const victim = supervisor.processId(slot);
  const fault = { kind, atMs: systemClock.nowMs(), processes: [victim] };
  if (kind === 'kill -9' || kind === 'kill watcher') supervisor.signal(slot, 'SIGKILL');
  else if (kind === 'freeze') supervisor.signal(slot, 'SIGSTOP');
  else if (kind === 'deploy') {
    const ended = supervisor.ended(slot);
    supervisor.signal(slot, 'SIGTERM');
    await ended;
    return { ...fault, endedAtMs: systemClock.nowMs() };
  } else if (kind === 'cut lock session') {
    // A process that has just started may not hold a lock yet.
    while (!(await cutLockSession(stage, supervisor.processId(slot)))) await delay(100);
    return { ...fault, processes: [supervisor.processId(slot)] };
  } else {
    const processes = await findLockHolders(stage);
    const atMs = systemClock.nowMs();
    await stage.cluster.restart(crash === true ? 'immediate' : 'fast');
    return { kind, atMs, processes };
  }
  return fault;
}

async function isAtWork(stage: EngineStage, processId: number): Promise<boolean> {
  const underWay = await stage.query(
    `SELECT FROM prove.mark m JOIN dbos.workflow_status w ON w.workflow_uuid = m.workflow
     WHERE m.process = $1 AND w.status = 'PENDING' LIMIT 1`,
    [processId],
  );
  return underWay.length > 0;
}

/** A frozen process's lock is noted free, by the one process that is left to see it. */
async function isLockSeenFree(stage: EngineStage, processId: number): Promise<boolean> {
  const rows = await stage.query(
    `SELECT FROM foundation.executor WHERE process_id = $1 AND lock_free_since IS NOT NULL`,
    [processId],
  );
  return rows.length > 0;
}

async function cutLockSession(stage: EngineStage, processId: number): Promise<boolean> {
  const cut = await stage.query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN foundation.executor e ON e.epoch::oid = l.objid
     WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND e.process_id = $2`,
    [executorLockClass, processId],
  );
  return cut.length > 0;
}

/** A process that is still starting has no session to lose. */
async function findLockHolders(stage: EngineStage): Promise<readonly number[]> {
  const rows = await stage.query<{ process: number }>(
    `SELECT e.process_id AS process FROM pg_locks l JOIN foundation.executor e ON e.epoch::oid = l.objid
     WHERE l.locktype = 'advisory' AND l.classid = $1::oid`,
    [executorLockClass],
  );
  return rows.map((row) => row.process);
}

async function wake(
  supervisor: WorkerSupervisor,
  slot: number,
  seconds: number,
  fault: Fault,
): Promise<void> {
  await delay(seconds * 1_000);
  fault.wokenAtMs = systemClock.nowMs();
  supervisor.signal(slot, 'SIGCONT');
}
