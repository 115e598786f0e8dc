import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

const template = readFileSync(new URL('../../../../deploy/varnish.vcl', import.meta.url), 'utf8');
const isMissing = spawnSync('varnishd', ['-V']).error !== undefined;
if (isMissing) process.emitWarning('the template of Varnish is not tested: varnishd is not installed');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The status of a purge, with and without headers. */
async function startVarnish(token: string) {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-varnish-'));
  chmodSync(folder, 0o755);
  const [port, api] = [await freePort(), await freePort()];
  const values: Readonly<Record<string, string>> = {
    DAYBOOK_EDGE_API_1_HOST: '127.0.0.1',
    DAYBOOK_EDGE_API_1_PORT: String(api),
    DAYBOOK_EDGE_API_2_HOST: '127.0.0.1',
    DAYBOOK_EDGE_API_2_PORT: String(api),
    DAYBOOK_VARNISH_TOKEN: token,
  };
  const file = join(folder, 'daybook.vcl');
  writeFileSync(
    file,
    template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  );
  const options = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-s', 'malloc,16m'];
  const varnish = spawn('varnishd', [...options, '-a', `127.0.0.1:${port}`, '-f', file], { stdio: 'ignore' });
  onTestFinished(async () => {
    varnish.kill();
    await once(varnish, 'exit');
    rmSync(folder, { recursive: true });
  });
  const purge = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
    const sent = request({ port, method: 'PURGE', headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  await vi.waitFor(() => purge({}), { timeout: 20_000, interval: 50 });
  return purge;
}

describe.skipIf(isMissing)('a purge', () => {
  const tags = { 'x-purge-tags': 'items' };

  test('needs the token', async () => {
    const token = 'a-token-of-16-signs';
    const purge = await startVarnish(token);
    expect(await purge({ ...tags, 'x-purge-token': token })).toBe(200);
    for (const wrong of [{}, { 'x-purge-token': '' }, { 'x-purge-token': 'a-token-of-17-signs' }])
      expect(await purge({ ...tags, ...wrong })).toBe(403);
  });

  test('is refused where the template was filled in without a token', async () => {
    const purge = await startVarnish('');
    for (const given of [{}, { 'x-purge-token': '' }]) expect(await purge({ ...tags, ...given })).toBe(403);
  });
});
