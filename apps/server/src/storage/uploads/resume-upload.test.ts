import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Upload as TusClient } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import { readSamples } from '../../../test/markdown-samples.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { idOf, offsetOf, pieceType, tusRequests, tusVersion } from '../../../test/tus-requests.ts';
import { verifyStorage } from '../verify-storage.ts';
import { discardLeftovers } from './finish-uploads.ts';
import { saveStored, takeUpload } from './resumable-store.ts';
import { findUpload } from './upload-store.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const { newName, created, patch, head, contentOf } = tusRequests(
  () => stage,
  () => project,
);

/** A request that has sent its first bytes and stalls with an open connection. */
async function hanging(url: string, size: number, first: Buffer) {
  const request = httpRequest({
    port: stage.app.port,
    path: url,
    method: 'PATCH',
    headers: {
      ...tusVersion,
      ...stage.owner,
      ...pieceType,
      'upload-offset': '0',
      'content-length': String(size),
    },
    agent: false,
  });
  request.on('error', () => {});
  request.write(first);
  const { database } = stage.access;
  await expect.poll(async () => (await findUpload(database, idOf(url)))?.stagedName).not.toBe(null);
  return request;
}

/** As if this much time had passed since the last renewal. */
const endLease = (url: string) =>
  stage.access.database
    .updateTable('storage.upload')
    .set({ leased_until: '2020-01-01T00:00:00Z' })
    .where('id', '=', idOf(url))
    .execute();

test('423: allows one request at a time, and counts the bytes of an interrupted one', async () => {
  const bytes = randomBytes(50_000);
  const url = await created(bytes.length);
  const first = await hanging(url, bytes.length, bytes.subarray(0, 30_000));
  const second = await patch(url, 0, bytes);
  expectProblem(second, 423, 'upload_locked');
  expect(second.headers['retry-after']).toBe('1');
  first.destroy();
  await expect.poll(async () => offsetOf(await head(url))).toBe('30000');
  await expect.poll(async () => (await patch(url, 30_000, bytes.subarray(30_000))).status).toBe(204);
  expect((await contentOf(url)).equals(bytes)).toBe(true);
});

describe('a writer whose lease has expired', () => {
  test('writes no more, neither to the row nor to the file', async () => {
    const [bytes, others] = [randomBytes(100_000), randomBytes(100_000)];
    const url = await created(bytes.length);
    const frozen = await hanging(url, others.length, others.subarray(0, 1_000));
    // It may renew its lease at that moment.
    const takeOver = async (): Promise<number> => {
      await endLease(url);
      return (await patch(url, 0, bytes.subarray(0, 50_000))).status;
    };
    await expect.poll(takeOver).toBe(204);
    const woken = new Promise<number>((resolve) => {
      frozen.on('response', (response) => resolve(response.statusCode ?? 0));
    });
    frozen.end(others.subarray(1_000));
    expect(await woken).toBe(423);
    expect(offsetOf(await head(url))).toBe('50000');
    expect((await patch(url, 50_000, bytes.subarray(50_000))).status).toBe(204);
    expect((await contentOf(url)).equals(bytes)).toBe(true);
  });

  test('is refused by its outdated number', async () => {
    const { database } = stage.access;
    const url = await created(5);
    const take = () => database.transaction().execute((one) => takeUpload(one, idOf(url), 60_000));
    const first = await take();
    expect((await take()).taken).toBe(false);
    await endLease(url);
    const second = await take();
    if (!first.taken || !second.taken) throw new Error('not taken');
    expect([first.isTakenOver, second.isTakenOver]).toEqual([false, true]);
    const stored = { size: 5, tag: null, sha256: null };
    expect(await saveStored(database, first.held, first.upload, stored)).toBe(false);
    expect(offsetOf(await head(url))).toBe('0');
    expect((await findUpload(database, idOf(url)))?.state).toBe('open');
  });
});

test('completes an upload on HEAD after a process died with the last byte saved', async () => {
  const url = await created(5);
  await patch(url, 0, '123');
  const { database } = stage.access;
  const upload = await findUpload(database, idOf(url));
  const name = upload?.stagedName ?? '';
  const rest = {
    body: (async function* rest() {
      yield Buffer.from('45');
    })(),
    from: 3,
    to: 5,
    total: 5,
    tail: async function* none() {},
    keep: async () => {},
  };
  await stage.bucket.appending.append(name, rest, new AbortController().signal);
  const taken = await database.transaction().execute((one) => takeUpload(one, idOf(url), 1));
  if (!taken.taken) throw new Error('not taken');
  await saveStored(database, taken.held, taken.upload, { size: 5, tag: null, sha256: null });
  expect(offsetOf(await head(url))).toBe('5');
  expect((await contentOf(url)).toString()).toBe('12345');
});

describe('tus-js-client', () => {
  const endpoint = (): string => `http://127.0.0.1:${stage.app.port}/api/v1/tus`;
  const send = (
    bytes: Buffer,
    options: object,
    onProgress?: (client: TusClient) => void,
  ): Promise<TusClient> =>
    new Promise((resolve, reject) => {
      const client: TusClient = new TusClient(bytes, {
        endpoint: endpoint(),
        headers: stage.owner,
        metadata: { projectId: project, filename: newName() },
        retryDelays: [100, 500, 1_000],
        onSuccess: () => resolve(client),
        onError: reject,
        onChunkComplete: () => onProgress?.(client),
        ...options,
      });
      client.start();
    });
  const pathOf = ({ url }: TusClient): string => new URL(url ?? '').pathname;

  test.each([0, 1, 3_000_000])('stores %i bytes in one request', async (size) => {
    const bytes = randomBytes(size);
    expect((await contentOf(pathOf(await send(bytes, {})))).equals(bytes)).toBe(true);
  });

  test('stores in chunks, stops, and continues with another client', async () => {
    const bytes = randomBytes(1_000_000);
    const stopped = await new Promise<TusClient>((resolve, reject) => {
      void send(bytes, { chunkSize: 300_000 }, (client) => {
        void client.abort().then(() => resolve(client));
      }).catch(reject);
    });
    const sent: number[] = [];
    const resumed = await send(bytes, {
      uploadUrl: stopped.url,
      onProgress: (at: number) => sent.push(at),
    });
    expect(sent[0]).toBeGreaterThanOrEqual(300_000);
    expect((await contentOf(pathOf(resumed))).equals(bytes)).toBe(true);
  });

  test('ends an upload', async () => {
    const url = await created(5);
    await TusClient.terminate(`http://127.0.0.1:${stage.app.port}${url}`, { headers: stage.owner });
    expect((await head(url)).status).toBe(410);
  });
});

test('answers the requests of the guide in sequence', async () => {
  const guide = new URL('../../../../../docs/guides/storage-api.md', import.meta.url);
  const sample = (await readSamples(guide)).find(({ text }) => text.includes('/tus'));
  const key = await stage.send('POST', '/api/v1/api-keys', stage.owner, { name: 'guide' });
  const cwd = await mkdtemp(join(tmpdir(), 'daybook-guide-'));
  try {
    await writeFile(join(cwd, 'plan.pdf'), 'a plan');
    const env = {
      ...process.env,
      PROJECT: project,
      KEY: String(key.json()['key']),
      URL: `http://127.0.0.1:${stage.app.port}/api/v1`,
    };
    const command = String(sample?.text).replaceAll(/^curl /gm, 'curl -sS --fail-with-body ');
    const { stdout } = await promisify(execFile)('bash', ['-euc', command], { cwd, env });
    expect(stdout).toMatch(/upload-offset: 3\r\n[^]*"state":"completed"/i);
  } finally {
    await rm(cwd, { recursive: true });
  }
});

test('leaves rows and bytes consistent after the tests above', async () => {
  await discardLeftovers(stage.upkeep);
  const findings = await verifyStorage(stage.upkeep);
  expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
});
