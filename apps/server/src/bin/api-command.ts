import { readConfig } from '../config/config.ts';
import { exitWithParent, stopOnSignal } from '../foundation/process-end.ts';
import { startApi } from '../wiring/api-process.ts';
import type { Command } from './command-line.ts';

export const run: Command['run'] = async () => {
  exitWithParent();
  const api = await startApi(readConfig(process.env));
  stopOnSignal(api.logger, api.stop);
  api.logger.info({ address: api.address }, 'listening');
};
