import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';
import type { BucketServer } from '@daybook/local-bucket';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { transfer } from './http-transfer.ts';
import { createApiClient } from './storage-clients.ts';

const token = 'the-token-of-the-measured-nginx';

/** Downloads that nginx reads itself after the api has decided, beside the same nginx without the api. */
export async function measureNginxDownloads(context: SuiteContext, server: BucketServer): Promise<void> {
  if (spawnSync('nginx', ['-v']).error !== undefined) {
    context.note('nginx is not installed: its downloads are not measured');
    return;
  }
  for (const place of ['folder', 'bucket'] as const) {
    const more = { DAYBOOK_STORAGE_NGINX_TOKEN: token, DAYBOOK_STORAGE_QUOTA_GIGABYTES: '1000' };
    const stage = await openStorageStage(1, place === 'bucket' ? server : undefined, more);
    try {
      await compare(context, place, stage, server);
    } finally {
      await stage.stop();
    }
  }
}

async function compare(
  context: SuiteContext,
  place: 'folder' | 'bucket',
  stage: StorageStage,
  server: BucketServer,
): Promise<void> {
  const size = (context.quick ? 64 : 512) * 1024 ** 2;
  const client = createApiClient(stage, await stage.newProject('nginx'));
  const id = await client.put(randomBytes(size));
  const { rows } = await stage.superuser.pool.query<{ blob_key: string }>(
    'SELECT blob_key FROM storage.version WHERE file_id = $1',
    [id],
  );
  const key = rows[0]?.blob_key ?? '';
  const root = stage.settings['DAYBOOK_STORAGE_FOLDER'] ?? '';
  const nginx = await startNginx(context.root, place, {
    DAYBOOK_EDGE_API_1: `127.0.0.1:${stage.processes[0]?.port ?? 0}`,
    DAYBOOK_EDGE_API_2: `127.0.0.1:${stage.processes[0]?.port ?? 0}`,
    DAYBOOK_EDGE_FILES_TOKEN: token,
    DAYBOOK_EDGE_FILES_FOLDER: root,
    DAYBOOK_EDGE_BUCKET: new URL(server.url).origin,
  });
  const rates = { ours: [] as number[], bare: [] as number[] };
  try {
    for (let round = -1; round < (context.quick ? 5 : 9); round += 1) {
      const addresses = {
        ours: `${nginx.url}/api/v1/files/${id}/content`,
        // Signed for one minute.
        bare: `${nginx.url}/bare/${await stage.bucket.proxied.pathOf(key)}`,
      };
      for (const name of ['ours', 'bare'] as const) {
        const start = performance.now();
        const { bytes } = await transfer(addresses[name], { headers: { ...stage.headers } });
        if (bytes !== size) throw new Error(`${name} read ${bytes} bytes`);
        if (round >= 0) rates[name].push(size / 1e6 / ((performance.now() - start) / 1_000));
      }
    }
  } finally {
    await nginx.stop();
  }
  context.ratio({
    name: `${size / 1024 ** 2} MiB, download of a ${place} that nginx reads itself, beside nginx alone`,
    unit: 'MB/s',
    ...rates,
    goal: { atLeast: 0.9 },
  });
}

interface MeasuredNginx {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** With the shipped templates, and one more location that reads the same bytes without the api. */
async function startNginx(
  root: string,
  place: 'folder' | 'bucket',
  values: Readonly<Record<string, string>>,
): Promise<MeasuredNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-nginx-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'server.d'));
  const port = await freePort();
  const all: Readonly<Record<string, string>> = {
    ...values,
    DAYBOOK_EDGE_FOLDER: folder,
    DAYBOOK_EDGE_LISTEN: `127.0.0.1:${port}`,
  };
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => all[name] ?? '');
  const template = (name: string): string => fill(readFileSync(join(root, 'deploy', name), 'utf8'));
  const files = template(`nginx-files-${place}.conf.template`);
  const [, bare = ''] = /^location \^~ \/-\/files\/ (\{[^}]+\})$/m.exec(files) ?? [];
  writeFileSync(join(folder, 'nginx.conf'), template('nginx.conf.template'));
  writeFileSync(join(folder, 'server.d', 'files.conf'), files);
  const alone = bare.replace('internal;', '').replace('^/-/files/', '^/bare/');
  writeFileSync(join(folder, 'server.d', 'bare.conf'), `location ^~ /bare/ ${alone}`);
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  const command = ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', `${user}daemon off;`];
  const child = spawn('nginx', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilListening(child, port);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGQUIT');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
    if (answer?.ok === true) return;
    await delay(50);
  }
  throw new Error('nginx did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
