import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { attempt } from './http-load.ts';

export interface Nginx {
  /** What it has written to its error log. */
  readonly complaints: () => string;
  readonly stop: () => Promise<void>;
}

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** The configuration we ship, word for word but for the ports. */
function configure(shipped: string, port: number, upstreams: readonly number[]): string {
  const ports = new Map([
    ['listen 8000;', `listen 127.0.0.1:${port};`],
    ['127.0.0.1:8080', `127.0.0.1:${upstreams[0]}`],
    ['127.0.0.1:8081', `127.0.0.1:${upstreams[1]}`],
  ]);
  let text = shipped;
  for (const [from, to] of ports) {
    if (text.split(from).length !== 2) throw new Error(`deploy/nginx.conf does not say "${from}" once`);
    text = text.replace(from, to);
  }
  return text;
}

export async function startNginx(root: string, port: number, upstreams: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-'));
  // Started by root, its workers are somebody else, and must get to their cache.
  chmodSync(folder, 0o755);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configure(readFileSync(join(root, 'deploy', 'nginx.conf'), 'utf8'), port, upstreams));
  const child = spawn('nginx', ['-p', `${folder}/`, '-e', 'stderr', '-c', file, '-g', 'daemon off;'], {
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
