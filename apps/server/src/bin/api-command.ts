import { readConfig } from '../config/config.ts';
import { stopOnSignal } from '../foundation/process-end.ts';
import { startApi } from '../wiring.ts';
import type { Command } from './command.ts';

export const apiCommand: Command = {
  name: 'api',
  usage: 'api',
  summary: 'answers HTTP; start as many as you like',
  run: async () => {
    const api = await startApi(readConfig(process.env));
    stopOnSignal(api.logger, api.stop);
    api.logger.info({ address: api.address }, 'listening');
  },
};
