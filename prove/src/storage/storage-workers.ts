import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { StorageWorkerSettings } from '../processes/storage-worker.ts';

const program = fileURLToPath(new URL('../processes/storage-worker.ts', import.meta.url));

interface StorageWorkers extends Omit<WorkerSupervisor, 'stop'> {
  /** Returns their output: each error that no fault explains. */
  readonly stop: () => Promise<string>;
}

/** Two, that are started again when they end. */
export async function startStorageWorkers(
  environment: StorageWorkerSettings['environment'],
): Promise<StorageWorkers> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-storage-workers-'));
  const logFile = join(folder, 'workers.log');
  const settings: StorageWorkerSettings = { environment };
  const supervisor = startWorkerSupervisor({ program, slots: 2, settings, logFile });
  return {
    ...supervisor,
    stop: async () => {
      await supervisor.stop();
      const written = await readFile(logFile, 'utf8');
      await rm(folder, { recursive: true });
      return written;
    },
  };
}
