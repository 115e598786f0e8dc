import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { PollDemand, PollReport } from './poll-run.ts';

const program = fileURLToPath(new URL('../processes/polling-clients.ts', import.meta.url));

/** Simulates the clients in a process of their own. `onMeasuring` is called when the measured time begins. */
export async function simulateClients(demand: PollDemand, onMeasuring: () => void): Promise<PollReport> {
  const child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(demand)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulated clients ended with ${String(code)}`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);
  onMeasuring();
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [PollReport];
  await once(child, 'exit').catch(() => {});
  return report;
}
