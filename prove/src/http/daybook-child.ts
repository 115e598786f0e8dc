import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { requestOnce } from '../news/http-question.ts';

/** `daybook api` or `daybook worker`, as it is shipped. */
export interface DaybookChild {
  readonly process: ChildProcess;
  /** Its address; a worker serves only the probes. */
  readonly port: number;
  readonly logFile: string;
  readonly stop: () => Promise<void>;
}

/** The program, from its sources or bundled. */
export const daybook = fileURLToPath(new URL('../../../apps/server/src/bin/daybook.ts', import.meta.url));
const readyWithinMs = 180_000;

/** Starts the program, or `words` in its place, and waits until it reports that it is ready. */
export async function startDaybook(
  root: string,
  command: 'api' | 'worker',
  port: number,
  settings: Readonly<Record<string, string>>,
  words: readonly [string, ...string[]] = [process.execPath, daybook, command],
): Promise<DaybookChild> {
  const [program, ...rest] = words;
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      [command === 'api' ? 'PORT' : 'DAYBOOK_WORKER_PORT']: String(port),
      // The load of the machine is not measured: a late event loop refuses no request.
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
      ...settings,
    },
  });
  const logFile = join(tmpdir(), `daybook-prove-${command}-${port}.log`);
  const log = createWriteStream(logFile);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.once('exit', () => log.end());
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await untilReady(child, port).catch(async (error: unknown) => {
    await stop();
    throw new Error(`daybook ${command} did not become ready; its log is ${logFile}`, { cause: error });
  });
  return { process: child, port, logFile, stop };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await requestOnce(port, '/readyz').catch(() => null);
    if (answer?.status === 200) return;
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(answer?.text ?? 'no answer');
    await delay(50);
  }
}
