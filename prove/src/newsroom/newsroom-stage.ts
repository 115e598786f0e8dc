import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';
import type { Dispatch } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';

import type { ModelConfig } from '../../../apps/server/src/config/config.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import type { WireSettings } from '../wire/wire-stage.ts';
import { addSourcesTo, wireWorker } from '../wire/wire-stage.ts';
import type { ScriptedOutlets } from './scripted-outlets.ts';
import { startScriptedOutlets } from './scripted-outlets.ts';

/** A database, scripted publishers, and two newsrooms as processes. */
export interface NewsroomStage {
  readonly engine: EngineStage;
  readonly outlets: ScriptedOutlets;
  /** Works until `isDone` is true, or the time is over; kills a worker at random about every so often. */
  readonly workUnderKills: (plan: KillPlan, isDone: () => Promise<boolean>) => Promise<number>;
  /** Runs of the engine that failed. */
  readonly failedRuns: () => Promise<number>;
  readonly remove: () => Promise<void>;
}

export interface KillPlan {
  /** For so long, work runs and workers are killed; afterwards the rest is finished without kills. */
  readonly runMs: number;
  readonly killEveryMs: number;
  readonly endWithinMs: number;
  readonly random: () => number;
  readonly actEveryMs: number;
  readonly act: () => void;
}

const workers = 2;

export async function setNewsroomStage(size: {
  readonly outlets: number;
  readonly model: ModelConfig | null;
}): Promise<NewsroomStage> {
  const engine = await setEngineStage();
  const folder = await mkdtemp(join(tmpdir(), 'daybook-newsroom-'));
  const outlets = await startScriptedOutlets(size.outlets);
  await addSourcesTo(engine.applicationUrl, outlets.sources());
  const settings: WireSettings = {
    databaseUrl: engine.applicationUrl,
    examplePort: outlets.port,
    pace: { intervalMinMs: 700, intervalMaxMs: 700, spacingMs: 20 },
    leaseMs: 3_000,
    timings: { takeoverGraceMs: 500, takeoverEveryMs: 200 },
    model: size.model,
  };
  return {
    engine,
    outlets,
    workUnderKills: async (plan, isDone) => {
      const logFile = join(folder, 'workers.log');
      const supervisor = startWorkerSupervisor({ program: wireWorker, slots: workers, settings, logFile });
      try {
        while (!(await hasItems(engine))) await delay(50);
        const kills = await actAndKill(plan, (slot) => supervisor.signal(slot, 'SIGKILL'));
        const endMs = performance.now() + plan.endWithinMs;
        while (!(await isDone()) && performance.now() < endMs) await delay(200);
        return kills;
      } finally {
        await supervisor.stop();
      }
    },
    failedRuns: async () => {
      const [row] = await engine.query<{ failed: number }>(
        `SELECT count(*)::int AS failed FROM dbos.workflow_status WHERE status NOT IN ('SUCCESS', 'PENDING', 'ENQUEUED')`,
      );
      return row?.failed ?? 0;
    },
    remove: async () => {
      await outlets.close();
      await engine.remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function hasItems({ query }: EngineStage): Promise<boolean> {
  const [row] = await query<{ found: boolean }>('SELECT EXISTS (SELECT FROM record.item) AS found');
  return row?.found === true;
}

async function actAndKill(plan: KillPlan, kill: (slot: number) => void): Promise<number> {
  const startedMs = performance.now();
  let kills = 0;
  // Anywhere between half and one and a half of the usual time, so that no step is spared.
  const gapMs = (): number => plan.killEveryMs * (0.5 + plan.random());
  let nextKillMs = gapMs();
  for (;;) {
    const passedMs = performance.now() - startedMs;
    if (passedMs >= plan.runMs) return kills;
    plan.act();
    if (passedMs >= nextKillMs) {
      kill(kills % workers);
      kills += 1;
      nextKillMs = passedMs + gapMs();
    }
    await delay(plan.actEveryMs);
  }
}

/** Failed promises of the record. */
export async function verifyFigure(context: SuiteContext, { applicationUrl }: EngineStage): Promise<void> {
  const { database, close } = connectDatabase({
    url: applicationUrl,
    name: 'prove newsroom',
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
  });
  await rollWindow(database, systemClock.now());
  await countBrokenPromises(context, database, systemClock.now());
  await close();
}

/** Dispatches of a simulated world, only for their texts. */
export function nextMatchingDispatch(isWanted: (dispatch: Dispatch) => boolean): () => Dispatch {
  const world = createWorld({ seed: 1_500, startsAt: Date.UTC(2026, 9, 1), days: 60, itemsPerDay: 200 });
  const wanted = Iterator.from(world.dispatches()).filter(isWanted);
  return () => {
    const { value } = wanted.next();
    if (value === undefined) throw new Error('the world has come to its end');
    return value;
  };
}
