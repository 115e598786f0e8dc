import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { fillTemplate } from '../template.ts';
import type { EdgeProgram } from './edge-program.ts';
import { runEdgeProgram } from './edge-program.ts';

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** nginx with the configuration we ship, in front of two processes or more. `more` are files below its folder. */
export async function startNginx(
  root: string,
  port: number,
  upstreams: readonly number[],
  more: (folder: string) => Readonly<Record<string, string | Buffer>> = () => ({}),
): Promise<EdgeProgram & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-'));
  for (const [name, content] of Object.entries(more(folder))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
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
  const nginx = await runEdgeProgram({ program: 'nginx', command, folder, port, endsWith: 'SIGQUIT' });
  return { ...nginx, folder };
}
