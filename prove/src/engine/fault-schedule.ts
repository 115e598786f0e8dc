import { setTimeout as delay } from 'node:timers/promises';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { executorLockClass } from '../../../apps/server/src/foundation/engine/executor-store.ts';
import type { EngineStage } from './engine-stage.ts';
import type { WorkerSupervisor } from './worker-supervisor.ts';

export type FaultKind = 'kill -9' | 'freeze' | 'cut lock session' | 'restart database';

export interface PlannedFault {
  readonly atSeconds: number;
  readonly kind: FaultKind;
  readonly slot: number;
  readonly freezeSeconds?: number;
  /** The database does not stop in good order. */
  readonly crash?: boolean;
}

/** A fault that was dealt, and whom it hit. */
export interface Fault {
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly processes: readonly number[];
  /** When a frozen process was woken. */
  wokenAtMs?: number;
}

/** One place is frozen while the other is killed, cut off and loses its database; then they change places. */
export function planFaults(quick: boolean): readonly PlannedFault[] {
  if (quick) {
    return [
      { atSeconds: 3, kind: 'freeze', slot: 0, freezeSeconds: 25 },
      { atSeconds: 6, kind: 'kill -9', slot: 1 },
      { atSeconds: 26, kind: 'cut lock session', slot: 1 },
      { atSeconds: 30, kind: 'restart database', slot: 0, crash: true },
      { atSeconds: 34, kind: 'kill -9', slot: 0 },
    ];
  }
  const plan: PlannedFault[] = [];
  for (let cycle = 0; cycle < 12; cycle += 1) {
    const base = 5 + cycle * 65;
    const frozen = cycle % 2;
    const other = 1 - frozen;
    plan.push({ atSeconds: base, kind: 'freeze', slot: frozen, freezeSeconds: 60 });
    plan.push({ atSeconds: base + 16, kind: 'kill -9', slot: other });
    plan.push({ atSeconds: base + 32, kind: 'cut lock session', slot: other });
    plan.push({ atSeconds: base + 48, kind: 'restart database', slot: other, crash: frozen === 1 });
  }
  const end = 5 + 12 * 65;
  plan.push(
    { atSeconds: end + 4, kind: 'kill -9', slot: 0 },
    { atSeconds: end + 20, kind: 'kill -9', slot: 1 },
  );
  return plan;
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
    const fault = await deal(deps, planned);
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
  { kind, slot, crash }: PlannedFault,
): Promise<Fault> {
  const victim = supervisor.processId(slot);
  const fault = { kind, atMs: systemClock.nowMs(), processes: [victim] };
  if (kind === 'kill -9') supervisor.signal(slot, 'SIGKILL');
  else if (kind === 'freeze') supervisor.signal(slot, 'SIGSTOP');
  else if (kind === 'cut lock session') {
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
