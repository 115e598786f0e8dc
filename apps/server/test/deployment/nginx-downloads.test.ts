import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startBucketServer } from '@daybook/local-bucket';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Bucket } from '../../src/storage/bucket/bucket.ts';
import { createFolderBucket } from '../../src/storage/bucket/folder-bucket.ts';
import { openBucket } from '../../src/storage/wiring.ts';
import type { Answer } from '../http-client.ts';
import { ask } from '../http-client.ts';
import type { TestStorage } from '../storage.ts';
import { startTestStorage } from '../storage.ts';

const deploy = new URL('../../../../deploy/', import.meta.url);
const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx) process.emitWarning('downloads through nginx are not tested: nginx is not installed');

const token = 'a-token-that-only-nginx-knows';
const origin = 'https://app.example.org';
const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) & 255));

interface Place {
  readonly bucket: Bucket;
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

async function folderPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-downloads-'));
  chmodSync(folder, 0o755);
  return {
    bucket: await createFolderBucket(folder, 0o640),
    template: 'nginx-files-folder.conf.template',
    values: { DAYBOOK_EDGE_FILES_FOLDER: folder },
    stop: async () => rmSync(folder, { recursive: true }),
  };
}

async function bucketPlace(): Promise<Place> {
  const server = await startBucketServer();
  return {
    bucket: await openBucket({ kind: 's3', ...server }),
    template: 'nginx-files-bucket.conf.template',
    values: { DAYBOOK_EDGE_BUCKET: new URL(server.url).origin },
    stop: () => server.remove(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe.skipIf(!hasNginx).each([
  ['a folder', folderPlace],
  ['an S3 bucket', bucketPlace],
])('nginx that reads downloads from %s', (_, open) => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-nginx-'));
  let place: Place;
  let stage: TestStorage;
  let nginx: ChildProcess;
  let port = 0;
  let file = '';
  let reads = 0;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    place = await open();
    const counted: Bucket = {
      ...place.bucket,
      open: (...asked) => {
        reads += 1;
        return place.bucket.open(...asked);
      },
    };
    stage = await startTestStorage({
      bucket: counted,
      files: { nginxToken: token, origins: [origin] },
      pages: true,
    });
    const project = (await stage.newProject()).id;
    file = (await stage.newFile(project, 'Jahresbericht – 年报.pdf', bytes, 'mediaType=application/pdf')).id;
    port = await freePort();
    nginx = startNginx(folder, place, port, stage.app.port);
    await vi.waitFor(() => ask(port, '/livez'), { timeout: 20_000, interval: 50 });
  }, 120_000);
  afterAll(async () => {
    nginx.kill('SIGQUIT');
    if (nginx.exitCode === null) await once(nginx, 'exit');
    await stage.stop();
    await place.stop();
    rmSync(folder, { recursive: true });
  });

  const path = (): string => `/api/v1/files/${file}/content`;
  /** The same request through nginx and to the api. */
  async function both(
    at: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<readonly [Answer, Answer]> {
    const request = { method, headers: { ...stage.owner, ...headers } };
    return [await ask(port, at, request), await ask(stage.app.port, at, request)];
  }
  /** Without the values that differ between any two responses, and without the headers of the connection. */
  function comparable({ status, headers, body }: Answer): object {
    const own = new Set(['date', 'server', 'connection', 'keep-alive', 'transfer-encoding']);
    const isOfRequest = (name: string): boolean => name === 'x-request-id' || name.startsWith('ratelimit');
    const rest = Object.entries(headers)
      .filter(([name]) => !own.has(name))
      .map(([name, value]) => [name, isOfRequest(name) ? 'differs' : value]);
    // Problems name the request.
    const sent = status < 400 ? body.toString('base64') : body.toString().replace(/"requestId":"[^"]*"/, '');
    return { status, headers: Object.fromEntries(rest), body: sent };
  }

  test.each<readonly [string, Readonly<Record<string, string>>, number, boolean]>([
    ['the whole content', {}, 200, true],
    ['the first bytes', { range: 'bytes=0-9' }, 206, true],
    ['bytes in the middle', { range: 'bytes=500-70000' }, 206, true],
    ['an open range', { range: 'bytes=99990-' }, 206, true],
    ['the last bytes', { range: 'bytes=-7' }, 206, true],
    ['a range beyond the end', { range: 'bytes=99990-200000' }, 206, true],
    ['a range after the end', { range: 'bytes=100000-' }, 416, false],
    ['several ranges', { range: 'bytes=0-1,5-6' }, 200, false],
    ['a range that is none', { range: 'bytes=x-y' }, 200, false],
    ['a range of another unit', { range: 'items=0-1' }, 200, false],
    ['the range of another version', { range: 'bytes=0-9', 'if-range': '"other"' }, 200, false],
    ['a range with a date', { range: 'bytes=0-9', 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200, false],
    ['another version than the own', { 'if-none-match': '"other"' }, 200, true],
    ['any version', { 'if-none-match': '*' }, 304, false],
    ['what changed since', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 200, true],
    ['a condition for changes', { 'if-match': '"other"' }, 200, false],
    ['a date for changes', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200, false],
    ['a web application', { origin }, 200, true],
    ['compressed content', { 'accept-encoding': 'gzip, br' }, 200, true],
  ])('gives the same response as the api for %s', async (_name, headers, status, isRead) => {
    reads = 0;
    const [through, direct] = await both(path(), headers);
    expect(direct.status).toBe(status);
    expect(comparable(through)).toEqual(comparable(direct));
    // The direct one is always read by the api, if it has a body.
    const ofDirect = status === 200 || status === 206 ? 1 : 0;
    expect(reads - ofDirect).toBe(isRead ? 0 : ofDirect);
  });

  test('resumes a download with the entity tag of its version', async () => {
    const { headers } = await ask(port, path(), { headers: stage.owner });
    const range = { range: 'bytes=99000-', 'if-range': String(headers['etag']) };
    reads = 0;
    const resumed = await ask(port, path(), { headers: { ...stage.owner, ...range } });
    expect([resumed.status, reads]).toEqual([206, 0]);
    expect(resumed.body.equals(bytes.subarray(99_000))).toBe(true);
  });

  test('gives the same response to HEAD requests, and for empty files', async () => {
    const [through, direct] = await both(path(), {}, 'HEAD');
    expect(comparable(through)).toEqual(comparable(direct));
    const project = (await stage.newProject()).id;
    const { id } = await stage.newFile(project, 'empty', '');
    const [empty, bare] = await both(`/api/v1/files/${id}/content`);
    expect(comparable(empty)).toEqual(comparable(bare));
  });

  test('refuses callers without permission, and 404 for the internal location, whatever they send', async () => {
    expect((await ask(port, path(), { headers: stage.stranger })).status).toBe(404);
    expect((await ask(port, path())).status).toBe(401);
    const key = await keyOf(stage, file);
    for (const at of [
      `/-/files/${key.slice(0, 2)}/${key}`,
      `/-/files/${await place.bucket.proxied.pathOf(key)}`,
      `/api/../-/files/${key.slice(0, 2)}/${key}`,
      `/%2d/files/${key.slice(0, 2)}/${key}`,
      `//-/files/${key.slice(0, 2)}/${key}`,
    ])
      expect([at, (await ask(port, at, { headers: stage.owner })).status]).toEqual([at, 404]);
    const chosen = { 'x-accel-redirect': `/-/files/${key.slice(0, 2)}/${key}` };
    expect((await ask(port, path(), { headers: { ...stage.stranger, ...chosen } })).status).toBe(404);
    expect((await ask(port, '/livez', { headers: chosen })).json()).toEqual({ status: 'alive' });
  });

  test('never leaves a download to a client that claims to be nginx', async () => {
    for (const claimed of [{}, { 'x-daybook-files': 'x' }, { 'x-daybook-files': '' }]) {
      const answer = await ask(stage.app.port, path(), { headers: { ...stage.owner, ...claimed } });
      expect(answer.headers).not.toHaveProperty('x-accel-redirect');
      expect(answer.body.equals(bytes)).toBe(true);
    }
    const claimed = { ...stage.owner, 'x-daybook-files': 'x' };
    expect((await ask(port, path(), { headers: claimed })).headers).not.toHaveProperty('x-accel-redirect');
  });

  test('503 if the bytes cannot be read', async () => {
    const project = (await stage.newProject()).id;
    const { id } = await stage.newFile(project, 'lost', 'lost');
    await place.bucket.remove(await keyOf(stage, id));
    const answer = await ask(port, `/api/v1/files/${id}/content`, { headers: stage.owner });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(answer.body.toString()).not.toMatch(/NoSuchKey|objects/);
  });
});

async function keyOf({ database }: TestStorage, file: string): Promise<string> {
  const [row] = await database.asSuperuser('SELECT blob_key FROM storage.version WHERE file_id = $1', [file]);
  return String(row?.['blob_key']);
}

/** As root, its workers run as root too: in a deployment they are members of the group of the folder. */
function startNginx(folder: string, { template, values }: Place, port: number, api: number): ChildProcess {
  const given: Readonly<Record<string, string>> = {
    ...values,
    DAYBOOK_EDGE_LISTEN: `127.0.0.1:${port}`,
    DAYBOOK_EDGE_FOLDER: folder,
    DAYBOOK_EDGE_API_1: `127.0.0.1:${api}`,
    DAYBOOK_EDGE_API_2: `127.0.0.1:${api}`,
    DAYBOOK_EDGE_FILES_TOKEN: token,
  };
  const fill = (name: string, target: string): void => {
    const source = readFileSync(new URL(name, deploy), 'utf8');
    const text = source.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => given[key] ?? expect.fail(key));
    writeFileSync(join(folder, target), text);
  };
  mkdirSync(join(folder, 'server.d'));
  fill('nginx.conf.template', 'nginx.conf');
  fill(template, 'server.d/files.conf');
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  const command = ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', `${user}daemon off;`];
  return spawn('nginx', command, { stdio: ['ignore', 'ignore', 'inherit'] });
}
