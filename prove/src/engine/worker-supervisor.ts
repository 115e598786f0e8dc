import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { ArticleVersion } from './article-workflow.ts';

const engineWorker = fileURLToPath(new URL('../processes/engine-worker.ts', import.meta.url));

export interface WorkerSupervisor {
  /** The process now in this place. */
  readonly processId: (slot: number) => number;
  readonly signal: (slot: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM') => void;
  /** Which version the next process in this place runs. */
  readonly setVersion: (slot: number, version: ArticleVersion) => void;
  /** When the process that is now in this place has ended. */
  readonly ended: (slot: number) => Promise<unknown>;
  /** All at once and for good; what they wrote is in the log then. */
  readonly stop: () => Promise<void>;
}

/** Keeps a number of worker processes alive: one that ends is started again, as a service manager would. */
export function startWorkerSupervisor(options: {
  /** The program; by default the worker of the engine's suite. */
  readonly program?: string;
  readonly slots: number;
  readonly settings: object;
  readonly logFile: string;
}): WorkerSupervisor {
  let stopping = false;
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const children: ChildProcess[] = [];
  const versions: ArticleVersion[] = Array.from({ length: options.slots }, () => 1);
  const launch = (slot: number): void => {
    const child = spawn(
      process.execPath,
      [options.program ?? engineWorker, JSON.stringify({ ...options.settings, version: versions[slot] })],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.once('exit', () => {
      if (!stopping) void delay(100).then(() => (stopping ? undefined : launch(slot)));
    });
    children[slot] = child;
  };
  for (let slot = 0; slot < options.slots; slot += 1) launch(slot);
  return {
    processId: (slot) => children[slot]?.pid ?? 0,
    signal: (slot, signal) => void children[slot]?.kill(signal),
    setVersion: (slot, version) => {
      versions[slot] = version;
    },
    ended: async (slot) => {
      const child = children[slot];
      if (child !== undefined && child.exitCode === null && child.signalCode === null)
        await once(child, 'exit');
    },
    stop: async () => {
      stopping = true;
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
        }),
      );
      const written = once(log, 'finish');
      log.end();
      await written;
    },
  };
}
