import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { ask } from '../http-client.ts';

const deploy = new URL('../../../../deploy/', import.meta.url);
const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx) process.emitWarning('the error log of nginx is not tested: nginx is not installed');

describe.skipIf(!hasNginx)('the error log of nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-errors-'));
  let upstream: Server;
  let nginx: ChildProcess;
  let port = 0;
  let log = '';

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    upstream = createServer(({ url = '' }, reply) => {
      if (url === '/livez') reply.end();
      // A file that nginx cannot read.
      else if (url.endsWith('/content')) reply.setHeader('x-accel-redirect', '/-/files/missing').end();
      else reply.destroy();
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    port = await freePort();
    nginx = startNginx(folder, port, (upstream.address() as AddressInfo).port);
    nginx.stderr?.on('data', (part) => (log += String(part)));
    await vi.waitFor(() => ask(port, '/livez', {}), { timeout: 20_000, interval: 50 });
  }, 60_000);
  afterAll(async () => {
    nginx.kill('SIGQUIT');
    if (nginx.exitCode === null) await once(nginx, 'exit');
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  test('has requests that failed, but none whose address contains a secret', async () => {
    const secrets = [
      '/api/v1/shared/sesame',
      '/api/v1/shared/sesame/ticket',
      '/api/v1/shared/sesame/archive?ticket=sesame',
      '/api/v1/shared/sesame/content?ticket=sesame',
      '/shared/sesame',
      '/feeds/saved/sesame.atom',
      '/previews/sesame',
      '/websub/sesame',
      '/drafts/sesame',
      '/zh/drafts/sesame/mail.html',
      '/subscribe/manage?token=sesame',
      '/en/subscribe/unsubscribe?token=sesame',
      '/watch/unsubscribe?token=sesame',
      '/zh/watch/unsubscribe?token=sesame',
      '/auth/reset?token=sesame',
      '/auth/openid/callback?code=sesame',
      '/account/email/confirm?token=sesame',
      '/account/data/export?ticket=sesame',
    ];
    for (const path of secrets) expect((await ask(port, path, {})).status).toBeGreaterThanOrEqual(502);
    for (const path of ['/items/visible', '/api/v1/folders/visible/archive'])
      expect((await ask(port, path, {})).status).toBe(502);
    await vi.waitFor(() => expect(log).toContain('/api/v1/folders/visible/archive'));
    expect(log).toContain('GET /items/visible');
    expect(log).not.toContain('sesame');
  });
});

function startNginx(folder: string, port: number, apiPort: number): ChildProcess {
  const values: Readonly<Record<string, string>> = {
    DAYBOOK_EDGE_LISTEN: `127.0.0.1:${port}`,
    DAYBOOK_EDGE_FOLDER: folder,
    DAYBOOK_EDGE_API_1: `127.0.0.1:${apiPort}`,
    DAYBOOK_EDGE_API_2: `127.0.0.1:${apiPort}`,
    DAYBOOK_EDGE_FILES_TOKEN: 'a-token-that-only-nginx-knows',
    DAYBOOK_EDGE_FILES_FOLDER: folder,
  };
  const fill = (template: string, file: string): void => {
    const source = readFileSync(new URL(template, deploy), 'utf8');
    const filled = source.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? expect.fail(name));
    writeFileSync(join(folder, file), filled);
  };
  for (const name of ['http.d', 'server.d']) mkdirSync(join(folder, name));
  fill('nginx.conf.template', 'nginx.conf');
  fill('nginx-files-folder.conf.template', 'server.d/files.conf');
  return spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
