import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { appendedPartBytes } from '../../../apps/server/src/storage/bucket/bucket.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { FaultyWork } from './faulty-client.ts';
import { FaultyClient } from './faulty-client.ts';
import { judgeStorage } from './faulty-judge.ts';
import type { UploadMethod } from './faulty-uploads.ts';
import { LargeFiles } from './large-files.ts';
import type { FaultyBucket, StorageFault } from './storage-fault-kinds.ts';
import { causeFaults, storageFaults } from './storage-fault-kinds.ts';
import { startStorageWorkers } from './storage-workers.ts';

/** Settings of the processes: what nothing refers to any more is removed at once. */
export const faultySettings = {
  DAYBOOK_STORAGE_GRACE_DAYS: '0',
  DAYBOOK_STORAGE_QUOTA_GIGABYTES: '1000',
} as const;

interface Scale {
  readonly clients: number;
  /** Absent: one of each kind. */
  readonly faults?: number;
  readonly betweenFaultsMs: readonly [number, number];
  readonly clientPauseMs: number;
  readonly largeFiles: number;
  readonly sizeOf: FaultyWork['sizeOf'];
}

const small = [0, 1, 65_535, 65_537, 300_000];
const medium = [5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1, appendedPartBytes + 1];
const pick = (sizes: readonly number[], random: () => number): number =>
  sizes[Math.floor(random() * sizes.length)] ?? 0;

/** Of a run, by all clients. */
const answersMin = 300;

const quickScale: Scale = {
  clients: 5,
  betweenFaultsMs: [150, 550],
  clientPauseMs: 0,
  largeFiles: 0,
  sizeOf: (random) => pick(small, random),
};

/** Room between faults, so that 200 MB get through now and then. */
const fullScale: Scale = {
  clients: 20,
  faults: 60,
  betweenFaultsMs: [3_000, 5_000],
  clientPauseMs: 150,
  largeFiles: 14,
  sizeOf: (random) => pick(random() < 0.1 ? medium : small, random),
};

/** With a bucket on S3 that fails too, and to which clients also send parts themselves. */
export async function storeUnderFaults(
  context: SuiteContext,
  stage: StorageStage,
  bucket: FaultyBucket | null,
): Promise<void> {
  const scale = context.quick ? quickScale : fullScale;
  const methods: UploadMethod[] = ['by tus', 'in one request', 'in two requests'];
  if (bucket !== null) methods.push('in parts');
  const end = new AbortController();
  const work: FaultyWork = {
    stage,
    projectId: await stage.newProject('faults'),
    methods,
    sizeOf: scale.sizeOf,
    large: new LargeFiles(methods),
    pauseMs: scale.clientPauseMs,
    signal: end.signal,
  };
  const clients = Array.from(
    { length: scale.clients },
    (_, index) => new FaultyClient(work, `c${index}`, seededRandom(500 + index)),
  );
  await Promise.all(clients.map((client) => client.makeFolders(2)));
  const workers = await startStorageWorkers(stage.settings);
  const working = clients.map((client) => client.work());
  // Files exist before the first fault, so that it can lose data.
  while (answeredBy(clients) < 60) await delay(20);
  const { large } = work;
  const faults = await failAgainAndAgain(storageFaults(stage, workers, bucket), scale, large)
    .then(async (caused) => {
      // Faults that end soon leave too few files to compare.
      while (answeredBy(clients) < answersMin) await delay(20);
      return caused;
    })
    .finally(() => end.abort());
  await Promise.all(working);
  const errors = await workers.stop();
  await judgeStorage(context, stage, { clients, faults, large, errors });
}

function answeredBy(clients: readonly FaultyClient[]): number {
  return clients.reduce((sum, { requests }) => sum + requests.answered, 0);
}

function failAgainAndAgain(
  faults: readonly StorageFault[],
  {
    faults: count = new Set(faults.map(({ kind }) => kind)).size,
    betweenFaultsMs: [least, most],
    ...scale
  }: Scale,
  large: LargeFiles,
): ReturnType<typeof causeFaults> {
  const random = seededRandom(7);
  const pauseMs = (): number => least + random() * (most - least);
  return causeFaults(faults, { count, pauseMs }, (number) => {
    // Spread over the run, and none that could not end within it.
    large.allowed = Math.ceil((scale.largeFiles * number) / Math.max(1, count - 4));
  });
}
