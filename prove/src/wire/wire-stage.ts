import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { Publishers, World } from '@daybook/newswire';
import { createWorld, startPublishers } from '@daybook/newswire';

import type { ModelConfig } from '../../../apps/server/src/config/config.ts';
import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { EngineTimings } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createFetcher } from '../../../apps/server/src/ingest/index.ts';
import type { Pace } from '../../../apps/server/src/ingest/schedule/next-poll.ts';
import { addSources } from '../../../apps/server/src/ingest/sources/add-sources.ts';
import type { SourceSettings } from '../../../apps/server/src/ingest/sources/source.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { simulatedSources } from '../../../apps/simulation/src/simulated-world.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';

/** The instructions for a worker of this suite. */
export interface WireSettings {
  readonly databaseUrl: string;
  readonly examplePort: number;
  readonly pace: Pace;
  readonly leaseMs: number;
  /** 20 s by default. */
  readonly statementTimeoutMs?: number;
  /** Shorter than everyone's, for suites that cannot wait. */
  readonly timings?: Partial<EngineTimings>;
  /** Null: everything is written by rule. */
  readonly model?: ModelConfig | null;
  /** Of a clock that the suite moves; the system's without one. */
  readonly clockFile?: string;
  /** The mail server for editions; without one, no mail is sent. */
  readonly smtpUrl?: string;
}

/** The newsroom's share of a worker, as a program. */
export const wireWorker = fileURLToPath(new URL('../processes/wire-worker.ts', import.meta.url));

export interface WireSize {
  readonly outlets: number;
  readonly domains: number;
  readonly itemsPerDay: number;
  /** How long the world has been going on when polling begins: how full its feeds are. */
  readonly worldBeganMs: number;
  readonly intervalMs: number;
  readonly leaseMs: number;
}

export interface WireStage {
  readonly engine: EngineStage;
  readonly world: World;
  readonly publishers: Publishers;
  readonly startWorkers: () => WorkerSupervisor;
  readonly remove: () => Promise<void>;
}

const spacingMs = 2_000;

/** A database with the sources of a simulated world, and its publishers on loopback. Not polled yet. */
export async function setWireStage(size: WireSize, logFile: string): Promise<WireStage> {
  const engine = await setEngineStage();
  const { outlets, domains, itemsPerDay } = size;
  const startsAt = systemClock.nowMs() - size.worldBeganMs;
  const world = createWorld({ seed: 1_300, startsAt, outlets, domains, itemsPerDay, days: 2 });
  const publishers = await startPublishers({
    world,
    nowMs: systemClock.nowMs,
    spacingMs,
    cacheHints: false,
  });
  await addSourcesTo(engine.applicationUrl, simulatedSources(world));
  await wakePublishers(publishers, world);
  const settings: WireSettings = {
    databaseUrl: engine.applicationUrl,
    examplePort: publishers.port,
    pace: { intervalMinMs: size.intervalMs, intervalMaxMs: size.intervalMs, spacingMs },
    leaseMs: size.leaseMs,
  };
  return {
    engine,
    world,
    publishers,
    startWorkers: () => startWorkerSupervisor({ program: wireWorker, slots: 2, settings, logFile }),
    remove: async () => {
      await publishers.close();
      await engine.remove();
    },
  };
}

/** The first answer takes as long as reading the world from its start; no publisher is that slow every time. */
async function wakePublishers({ port, counters }: Publishers, world: World): Promise<void> {
  const fetcher = createFetcher({ userAgent: 'Daybook/prove', clock: systemClock, examplePort: port });
  const url = world.sources()[0]?.feedUrl ?? '';
  await fetcher.fetch({ url, accept: '*/*', bytesMax: 1_000_000, deadlineMs: 60_000 });
  await fetcher.close();
  counters.reset();
}

export async function addSourcesTo(
  url: string,
  sources: readonly SourceSettings[],
  clock: Clock = systemClock,
): Promise<void> {
  const { database, close } = connectDatabase({
    url,
    name: 'prove wire',
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
  });
  const ids = createIdSource({ clock, randomBytes });
  const publisher = createPublisher({ database, clock, ids });
  await addSources({ database, clock, ids, publisher }, sources);
  await close();
}
