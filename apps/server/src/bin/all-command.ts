import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { readConfig } from '../config/config.ts';
import { stopOnSignal } from '../foundation/process-end.ts';
import { superviseProcess } from '../foundation/supervised-process.ts';
import { startApi } from '../wiring/api-process.ts';
import type { Command } from './command-line.ts';

const program = fileURLToPath(new URL('daybook.ts', import.meta.url));

/** A worker that loses the database exits; the api in this process continues to serve cached copies. */
export const run: Command['run'] = async () => {
  const api = await startApi(readConfig(process.env));
  const worker = superviseProcess({
    start: () =>
      spawn(process.execPath, [...process.execArgv, program, 'worker'], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
      }),
    onExit: (exit) => api.logger.error(exit, 'worker exited; restarting it'),
  });
  stopOnSignal(api.logger, async () => {
    await Promise.all([api.stop(), worker.stop()]);
  });
  api.logger.info({ address: api.address }, 'listening');
};
