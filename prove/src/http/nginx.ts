import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fillTemplate } from '../template.ts';
import { attempt } from './http-load.ts';

export interface Nginx {
  /** What it has written to its error log. */
  readonly complaints: () => string;
  readonly stop: () => Promise<void>;
}

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** nginx with the configuration we ship, in front of two processes or more. */
export async function startNginx(root: string, port: number, upstreams: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-'));
  // Started by root, its workers are somebody else, and must get to their cache.
  chmodSync(folder, 0o755);
  const file = join(folder, 'nginx.conf');
  const template = readFileSync(join(root, 'deploy', 'nginx.conf.template'), 'utf8');
  writeFileSync(
    file,
    fillTemplate(template, {
      DAYBOOK_EDGE_LISTEN: `127.0.0.1:${port}`,
      DAYBOOK_EDGE_API_1: `127.0.0.1:${upstreams[0]}`,
      DAYBOOK_EDGE_API_2: upstreams
        .slice(1)
        .map((upstream) => `127.0.0.1:${upstream}`)
        .join(' max_fails=0; server '),
      DAYBOOK_EDGE_FOLDER: folder,
    }),
  );
  const child = spawn('nginx', ['-e', 'stderr', '-c', file, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const { status } = await attempt(false, port, { label: 'probe', method: 'GET', path: '/livez', id: '' });
    if (status === 200) return { stop, complaints: () => complaints };
    await delay(25);
  }
  await stop();
  throw new Error(`nginx did not come up: ${complaints}`);
}
