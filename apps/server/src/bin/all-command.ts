import { readConfig } from '../config/config.ts';
import { stopOnSignal } from '../foundation/process-end.ts';
import { startApi, startWorker } from '../wiring.ts';
import type { Command } from './command.ts';

export const allCommand: Command = {
  name: 'all',
  usage: 'all',
  summary: 'api and worker in one process, for a small site',
  run: async () => {
    const config = readConfig(process.env);
    const [api, worker] = [await startApi(config), await startWorker(config)];
    stopOnSignal(api.logger, async () => {
      await Promise.all([api.stop(), worker.stop()]);
    });
    api.logger.info({ address: api.address }, 'listening');
  },
};
