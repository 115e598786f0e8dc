import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { attempt } from './http-load.ts';

/** nginx or Varnish in front of api processes. */
export interface EdgeProgram {
  readonly pid: number;
  /** Its standard error. */
  readonly complaints: () => string;
  readonly stop: () => Promise<void>;
}

const answersWithinMs = 20_000;

/** Starts the program and waits until an api process responds through it. Stopping removes its folder. */
export async function runEdgeProgram(options: {
  readonly program: 'nginx' | 'varnishd';
  readonly command: readonly string[];
  readonly folder: string;
  readonly port: number;
  readonly endsWith: NodeJS.Signals;
}): Promise<EdgeProgram> {
  const { program, command, folder, port, endsWith } = options;
  const child = spawn(program, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill(endsWith);
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const deadlineMs = performance.now() + answersWithinMs;
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const { status } = await attempt(false, port, { label: 'probe', method: 'GET', path: '/livez', id: '' });
    if (status === 200) return { pid: child.pid ?? 0, stop, complaints: () => complaints };
    await delay(25);
  }
  await stop();
  throw new Error(`${program} did not answer: ${complaints}`);
}
