import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { Dispatch, World } from '@daybook/newswire';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { epochMicroseconds, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { itemOf, dispatchedItem } from '../../../apps/simulation/src/dispatched-item.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { EditionWorkerSettings } from '../processes/edition-worker.ts';
import { setFileClock } from './file-clock.ts';

export interface YearStage {
  readonly engine: EngineStage;
  readonly database: Database;
  /** Which dispatch each item was. */
  readonly dispatches: ReadonlyMap<string, Dispatch>;
  /** Publishes what an editor of the world would select until then, each at its time. */
  readonly publishUntil: (until: EpochMicroseconds) => Promise<void>;
  readonly setTime: (now: EpochMicroseconds) => void;
  readonly startWorkers: () => WorkerSupervisor;
  readonly remove: () => Promise<void>;
}

const program = fileURLToPath(new URL('../processes/edition-worker.ts', import.meta.url));

/** A record that fills with a world's news by the world's labels, and workers that make editions from it. */
export async function setYearStage(world: World, folder: string): Promise<YearStage> {
  const engine = await setEngineStage();
  const clockFile = `${folder}/clock`;
  // Separate from the workers' clock, so that they do not start work for every item.
  let now = epochMicroseconds(0n);
  const clock: Clock = { now: () => now, nowMs: () => instantToMs(now) };
  // The suite's own publications need not survive a crash of the database.
  const relaxed = new URL(engine.applicationUrl);
  relaxed.searchParams.set('options', '-c synchronous_commit=off');
  const connection = connectDatabase({
    url: relaxed.href,
    name: 'prove year',
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
  const { database } = connection;
  const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
  const stories = new Map<string, Id<'story'>>();
  const dispatches = new Map<string, Dispatch>();
  const publish = async (dispatch: Dispatch): Promise<void> => {
    const dispatched = dispatchedItem(dispatch);
    now = dispatched.at;
    const item = itemOf(dispatched);
    const storyId = dispatch.storyKey === null ? undefined : stories.get(dispatch.storyKey);
    valueOf(await publisher.publishItem({ ...item, ...(storyId && { storyId }) }));
    valueOf(await publisher.selectItem({ itemId: dispatched.itemId, reason: 'An editor chose it.' }));
    dispatches.set(dispatched.itemId, dispatch);
    if (dispatch.storyKey === null || storyId !== undefined) return;
    const opened = valueOf(await publisher.openStory({ title: item.title, itemIds: [dispatched.itemId] }));
    stories.set(dispatch.storyKey, opened.storyId);
  };
  const waiting = selectedDispatches(world);
  let next = waiting.next();
  const settings: EditionWorkerSettings = { databaseUrl: engine.applicationUrl, clockFile };
  return {
    engine,
    database,
    dispatches,
    setTime: (now) => setFileClock(clockFile, now),
    publishUntil: async (until) => {
      for (; next.done !== true && dispatchedItem(next.value).at < until; next = waiting.next())
        await publish(next.value);
    },
    startWorkers: () =>
      startWorkerSupervisor({ program, slots: 2, settings, logFile: `${folder}/workers.log` }),
    remove: async () => {
      await connection.close();
      await engine.remove();
    },
  };
}

/** At most one of a reading group, as the world's editor has it. */
function* selectedDispatches(world: World): Generator<Dispatch, undefined> {
  for (const dispatch of world.dispatches()) if (dispatch.selected) yield dispatch;
  return undefined;
}

export const shanghai = (text: string): EpochMicroseconds =>
  epochMicroseconds(Temporal.Instant.from(`${text}+08:00`).epochNanoseconds / 1000n);
