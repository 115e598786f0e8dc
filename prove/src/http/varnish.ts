import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fillTemplate } from '../template.ts';
import type { EdgeProgram } from './edge-program.ts';
import { runEdgeProgram } from './edge-program.ts';

export function isVarnishInstalled(): boolean {
  return spawnSync('varnishd', ['-V']).error === undefined;
}

/** Varnish with the configuration we ship, in front of two processes. */
export async function startVarnish(
  root: string,
  {
    port,
    upstreams: [one, two],
    token,
  }: { readonly port: number; readonly upstreams: readonly [number, number]; readonly token: string },
): Promise<EdgeProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-varnish-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'daybook.vcl');
  writeFileSync(
    file,
    fillTemplate(readFileSync(join(root, 'deploy', 'varnish.vcl'), 'utf8'), {
      DAYBOOK_EDGE_API_1_HOST: '127.0.0.1',
      DAYBOOK_EDGE_API_1_PORT: String(one),
      DAYBOOK_EDGE_API_2_HOST: '127.0.0.1',
      DAYBOOK_EDGE_API_2_PORT: String(two),
      DAYBOOK_VARNISH_TOKEN: token,
    }),
  );
  const options = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-s', 'malloc,64m'];
  const command = [...options, '-a', `127.0.0.1:${port}`, '-f', file];
  return runEdgeProgram({ program: 'varnishd', command, folder, port, endsWith: 'SIGTERM' });
}
