import { readConfig } from '../config/config.ts';
import { stopOnSignal } from '../foundation/process-end.ts';
import { startWorker } from '../wiring.ts';
import type { Command } from './command.ts';

export const workerCommand: Command = {
  name: 'worker',
  usage: 'worker',
  summary: 'does the durable work; start as many as you like, and start again what ends',
  run: async () => {
    const worker = await startWorker(readConfig(process.env));
    stopOnSignal(worker.logger, worker.stop);
  },
};
