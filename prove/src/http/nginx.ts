import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fillTemplate } from '../template.ts';
import type { EdgeProgram } from './edge-program.ts';
import { runEdgeProgram } from './edge-program.ts';

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** nginx with the configuration we ship, in front of two processes or more. */
export async function startNginx(
  root: string,
  port: number,
  upstreams: readonly number[],
): Promise<EdgeProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-'));
  // Started by root, its workers run as another user and need access to their cache.
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
  const command = ['-e', 'stderr', '-c', file, '-g', 'daemon off;'];
  return runEdgeProgram({ program: 'nginx', command, folder, port, endsWith: 'SIGQUIT' });
}
