import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { createServer, get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const deploy = new URL('../../../../deploy/', import.meta.url);
const missing = ['nginx', 'openssl'].filter((name) => spawnSync(name, ['-v']).error !== undefined);
if (missing.length > 0)
  process.emitWarning(`TLS at the edge is not tested: ${missing.join()} is not installed`);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe.skipIf(missing.length > 0)('nginx with the templates for TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-tls-'));
  let upstream: Server;
  let nginx: ChildProcess;
  let [httpsPort, httpPort] = [0, 0];
  const paths: string[] = [];

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    upstream = createServer(({ url = '' }, reply) => {
      paths.push(url);
      reply.end('from the api');
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    [httpsPort, httpPort] = [await freePort(), await freePort()];
    createCertificate(folder);
    const api = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const values: Readonly<Record<string, string>> = {
      DAYBOOK_EDGE_LISTEN: `127.0.0.1:${httpsPort} ssl`,
      DAYBOOK_EDGE_HTTP_LISTEN: `127.0.0.1:${httpPort}`,
      DAYBOOK_EDGE_FOLDER: folder,
      DAYBOOK_EDGE_API_1: api,
      DAYBOOK_EDGE_API_2: api,
      DAYBOOK_EDGE_CERTIFICATE: join(folder, 'certificate.pem'),
      DAYBOOK_EDGE_CERTIFICATE_KEY: join(folder, 'key.pem'),
    };
    const fill = (template: string, file: string): void => {
      const source = readFileSync(new URL(template, deploy), 'utf8');
      writeFileSync(
        join(folder, file),
        source.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? expect.fail(name)),
      );
    };
    for (const name of ['http.d', 'server.d']) mkdirSync(join(folder, name));
    fill('nginx.conf.template', 'nginx.conf');
    fill('nginx-tls-http.conf.template', 'http.d/tls.conf');
    fill('nginx-tls-server.conf.template', 'server.d/tls.conf');
    nginx = spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    await vi.waitFor(() => ask('/livez'), { timeout: 20_000, interval: 50 });
  }, 60_000);
  afterAll(async () => {
    if (nginx.exitCode === null) {
      nginx.kill('SIGQUIT');
      await once(nginx, 'exit');
    }
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(path: string): Promise<Answer> {
    const request = getHttps({
      port: httpsPort,
      host: '127.0.0.1',
      servername: 'news.example.org',
      path,
      ca: readFileSync(join(folder, 'authority.pem')),
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }

  test('serves the api over TLS with Strict-Transport-Security', async () => {
    const answer = await ask('/api/v1/items');
    expect(answer).toMatchObject({ status: 200, body: 'from the api' });
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test.each(['/readyz', '/metrics', '/readyz?x=1'])(
    'answers 404 for %s without asking the api',
    async (path) => {
      paths.length = 0;
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(answer.headers['strict-transport-security']).toBeDefined();
      expect(paths).toEqual([]);
    },
  );

  test('redirects http to https with the whole address', async () => {
    const request = getHttp({
      port: httpPort,
      host: '127.0.0.1',
      path: '/items/1?a=b',
      headers: { host: 'news.example.org' },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(308);
    expect(response.headers.location).toBe('https://news.example.org/items/1?a=b');
  });

  test('logs requests as JSON, without queries and without secrets in paths', async () => {
    for (const path of [
      '/items/5?token=sesame',
      '/previews/sesame',
      '/drafts/sesame',
      '/zh/drafts/sesame/report.json',
      '/websub/sesame',
      '/api/v1/shared/sesame/files',
      '/auth/reset/sesame',
      '/a%22b',
    ])
      await ask(path);
    const lines = await vi.waitFor(() => {
      const log = readFileSync(join(folder, 'access.log'), 'utf8').trim().split('\n');
      expect(log.at(-1)).toContain('/a');
      return log;
    });
    const logged = lines.map((line) => (JSON.parse(line) as { path: string }).path);
    expect(logged.slice(-8)).toEqual([
      '/items/5',
      '/previews/…',
      '/drafts/…',
      '/zh/drafts/…',
      '/websub/…',
      '/api/v1/shared/…',
      '/auth/reset/…',
      '/a"b',
    ]);
    expect(lines.join('\n')).not.toContain('sesame');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The commands of docs/guides/operating.md. */
function createCertificate(folder: string): void {
  const openssl = (words: string): void => {
    execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });
  };
  openssl(
    'req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=authority -keyout authority-key.pem -out authority.pem',
  );
  openssl('req -newkey rsa:2048 -nodes -subj /CN=news.example.org -keyout key.pem -out request.pem');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:news.example.org');
  openssl(
    'x509 -req -days 30 -in request.pem -CA authority.pem -CAkey authority-key.pem -CAcreateserial -extfile names -out certificate.pem',
  );
}
