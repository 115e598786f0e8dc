import { readConfig } from '../config/config.ts';
import { exitWithParent, stopOnSignal } from '../foundation/process-end.ts';
import { startWorker } from '../wiring/worker-process.ts';
import type { Command } from './command-line.ts';

export const run: Command['run'] = async () => {
  exitWithParent();
  const worker = await startWorker(readConfig(process.env));
  stopOnSignal(worker.logger, worker.stop);
};
