import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketCorsCommand,
} from '@aws-sdk/client-s3';
import { startBucketServer } from '@daybook/local-bucket';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testBucketContract } from '../../test/bucket-contract.ts';
import { directUploads } from '../../test/direct-uploads.ts';
import { expectProblem } from '../../test/http-client.ts';
import { testSecretKey } from '../../test/identity.ts';
import { readSamples } from '../../test/markdown-samples.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { idOf, tusRequests } from '../../test/tus-requests.ts';
import type { DirectTransfer } from './bucket/bucket.ts';
import { appendedPartBytes } from './bucket/bucket.ts';
import { createS3Bucket, createS3Client } from './bucket/s3-bucket.ts';
import { setUpBucket } from './bucket/set-up-bucket.ts';
import { discardLeftovers, finishUploads } from './uploads/finish-uploads.ts';
import { releaseIdleSpace } from './uploads/reservations.ts';
import { findUpload, markCompleting } from './uploads/upload-store.ts';
import { verifyStorage } from './verify-storage.ts';

/** All tests that need an S3-compatible server, which is started once. */
const server = await startBucketServer();
const bucket = createS3Bucket(server);
const direct = bucket.direct as DirectTransfer;
let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage({ bucket });
  project = (await stage.newProject()).id;
});
afterAll(async () => {
  await stage.stop();
  await server.remove();
});

describe('S3 bucket', () => {
  testBucketContract(async () => ({ bucket, stop: removeAll }), 5);
});

async function removeAll(): Promise<void> {
  for await (const { key } of bucket.objects()) await bucket.remove(key);
}

test('refuses a wrong secret instead of treating the bucket as empty', async () => {
  const other = createS3Bucket({ ...server, secretAccessKey: 'guess' });
  const refused = { $metadata: { httpStatusCode: 403 } };
  await expect(Array.fromAsync(other.objects())).rejects.toMatchObject(refused);
  await expect(other.sizeOf('0'.repeat(32))).rejects.toMatchObject(refused);
});

// Before servers are killed below: a Ceph gateway takes half a minute to change rules after another died.
test('sets up the settings of the bucket once, and keeps the rules of others', async () => {
  const origins = ['https://daybook.example', 'https://accounts.example'];
  const settings = { kind: 's3' as const, ...server };
  const client = createS3Client(server);
  const foreign = { ID: 'theirs', AllowedOrigins: ['https://other.example'], AllowedMethods: ['GET'] };
  await client.send(
    new PutBucketCorsCommand({ Bucket: server.bucket, CORSConfiguration: { CORSRules: [foreign] } }),
  );
  expect(await setUpBucket(settings, origins)).toEqual([
    expect.stringContaining('CORS'),
    expect.stringContaining('aborted after 7 days'),
  ]);
  expect(await setUpBucket(settings, origins)).toEqual([]);
  expect(await setUpBucket(settings, origins.slice(1))).toEqual([expect.stringContaining('CORS')]);
  const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket: server.bucket }));
  expect(new Set(CORSRules.map(({ ID }) => ID))).toEqual(new Set(['daybook', 'theirs']));
  const preflight = (origin: string) =>
    fetch(`${server.url}/${server.bucket}/${'0'.repeat(32)}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
  const allowed = 'access-control-allow-origin';
  expect((await preflight('https://accounts.example')).headers.get(allowed)).toBe('https://accounts.example');
  expect((await preflight('https://daybook.example')).headers.get(allowed)).toBe(null);
  const { Rules = [] } = await client.send(
    new GetBucketLifecycleConfigurationCommand({ Bucket: server.bucket }),
  );
  expect(Rules).toEqual([
    expect.objectContaining({
      Status: 'Enabled',
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    }),
  ]);
});

test('daybook storage setup reports its changes, and that a folder needs none', async () => {
  const program = fileURLToPath(new URL('../bin/daybook.ts', import.meta.url));
  const setUp = async (storage: Readonly<Record<string, string>>): Promise<string> => {
    const env = {
      ...storage,
      DAYBOOK_SECRET_KEY: testSecretKey,
      DATABASE_URL: 'postgres://localhost/unused',
    };
    return (await promisify(execFile)(process.execPath, [program, 'storage', 'setup'], { env })).stdout;
  };
  expect(await setUp({ DAYBOOK_STORAGE_FOLDER: tmpdir() })).toMatch(/No setup required/);
  const bucketSettings = {
    DAYBOOK_STORAGE_BUCKET: server.bucket,
    DAYBOOK_STORAGE_BUCKET_URL: server.url,
    DAYBOOK_STORAGE_BUCKET_KEY_ID: server.accessKeyId,
    DAYBOOK_STORAGE_BUCKET_SECRET: server.secretAccessKey,
    DAYBOOK_BASE_URL: 'https://files.example',
  };
  expect(await setUp(bucketSettings)).toMatch(/^CORS: pages of https:\/\/files.example /);
  expect(await setUp(bucketSettings)).toBe('The bucket is already configured.\n');
});

const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const { reserve, sign, addressOf, put, complete, arrived, age } = directUploads(
  () => stage,
  () => project,
);
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64');
const findings = async (): Promise<readonly string[]> => {
  await discardLeftovers(stage.upkeep);
  return (await verifyStorage(stage.upkeep)).flatMap(({ name, offenders }) =>
    offenders.map((one) => `${name} ${one}`),
  );
};

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const fileOf = async (id: unknown) => (await send('GET', `/api/v1/files/${String(id)}`, stage.owner)).json();

describe('a direct upload', () => {
  test.each([0, 1, 5 * 1024 * 1024 + 1])(
    'of %i bytes arrives unchanged; a worker adds its hash',
    async (size) => {
      const bytes = randomBytes(size);
      const id = await reserve(bytes);
      expect(await arrived(id)).toEqual([false]);
      const url = await addressOf(id, { number: 1, md5: md5(bytes) });
      expect(await put(url, bytes, { 'content-md5': md5(bytes) })).toBe(200);
      expect(await arrived(id)).toEqual([true]);
      const answer = await complete(id);
      expect([answer.status, answer.json()['state']]).toEqual([200, 'completed']);
      expect((await complete(id)).json()).toEqual(answer.json());
      expect(await arrived(id)).toEqual([true]);
      const { fileId } = answer.json();
      const file = await fileOf(fileId);
      expect(file).toMatchObject({ size, sha256: null, detectedMediaType: null });
      expect((await stage.contentOf(fileId)).body.equals(bytes)).toBe(true);
      await stage.inspectAll();
      expect(await fileOf(fileId)).toMatchObject({ sha256: sha256(bytes), etag: file['etag'] });
      expect(await findings()).toEqual([]);
    },
  );

  test('refuses other, more or fewer bytes, and all bytes once it is completed', async () => {
    const bytes = Buffer.from('12345');
    const id = await reserve(bytes);
    const hash = { 'content-md5': md5(bytes) };
    const url = await addressOf(id, { number: 1, md5: md5(bytes) });
    expect(await put(url, Buffer.from('54321'), hash)).toBe(400);
    expect(await put(url, bytes)).toBe(403);
    expect(await put(url, Buffer.from('123456'), hash)).toBe(403);
    expect(await put(url.replace('partNumber=1', 'partNumber=2'), bytes, hash)).toBe(403);
    expect(await put(url, bytes, hash)).toBe(200);
    expect((await complete(id)).status).toBe(200);
    expect(await put(url, bytes, hash)).toBe(404);
    expectProblem(await sign(id), 409, 'conflict');
  });

  test('refuses an expired URL', async () => {
    const key = randomBytes(16).toString('hex');
    const name = await direct.begin(key);
    const over = await direct.signPart(name, { number: 1, size: 1, md5: null }, 1);
    await expect.poll(() => put(over, Buffer.from('1')), { timeout: 5_000, interval: 500 }).toBe(403);
    await bucket.discard(name);
  });

  test('that is begun concurrently is one upload, and the others are discarded', async () => {
    const id = await reserve(Buffer.from('1'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => sign(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await Array.fromAsync(bucket.staged())).toHaveLength(1);
    await send('DELETE', `/api/v1/uploads/${id}`, stage.owner);
    await discardLeftovers(stage.upkeep);
    expect(await Array.fromAsync(bucket.staged())).toEqual([]);
  });

  test('400 while parts are missing; 409 before the first, and after it was abandoned', async () => {
    const id = await reserve(Buffer.from('1'));
    expectProblem(await complete(id), 409, 'conflict');
    await sign(id);
    expectProblem(await complete(id), 400, 'checksum_mismatch');
    expectProblem(await sign(id, [{ number: 2 }]), 400, 'invalid_request');
    await send('DELETE', `/api/v1/uploads/${id}`, stage.owner);
    for (const answer of [await sign(id), await complete(id)]) expectProblem(answer, 409, 'conflict');
    expectProblem(await send('GET', `/api/v1/uploads/${id}/parts`, stage.owner), 409, 'conflict');
  });

  test('reserves its size only while parts arrive, whatever is signed meanwhile', async () => {
    const reserved = async () => (await send('GET', '/api/v1/usage', stage.owner)).json()['reservedBytes'];
    await releaseIdleSpace(stage.upkeep);
    const before = Number(await reserved());
    const bytes = randomBytes(2 * 1024 ** 2);
    const id = await reserve(bytes);
    await sign(id);
    for (const _ of [1, 2]) {
      await age(id, 26);
      expect((await sign(id)).status).toBe(200);
      expect(await reserved()).toBe(before + bytes.length);
      await releaseIdleSpace(stage.upkeep);
      expect(await reserved()).toBe(before);
    }
    expect(await put(await addressOf(id), bytes)).toBe(200);
    await age(id, 24);
    await sign(id);
    await age(id, 24);
    await releaseIdleSpace(stage.upkeep);
    expect(await reserved()).toBe(before + bytes.length);
    expect((await complete(id)).status).toBe(200);
    expect(await reserved()).toBe(before);
  });

  test('404 for everyone except the account that began it', async () => {
    const id = await reserve(Buffer.from('1'));
    for (const other of [stage.stranger, stage.viewer.headers]) {
      expectProblem(await sign(id, [{ number: 1 }], other), 404, 'not_found');
      expectProblem(await complete(id, other), 404, 'not_found');
      expectProblem(await send('GET', `/api/v1/uploads/${id}/parts`, other), 404, 'not_found');
    }
  });

  test('with an announced hash has it at once', async () => {
    const bytes = Buffer.from('12345');
    const id = await reserve(bytes, { sha256: sha256(bytes) });
    await put(await addressOf(id), bytes);
    expect(await fileOf((await complete(id)).json()['fileId'])).toMatchObject({ sha256: sha256(bytes) });
  });

  test('with other bytes than announced is abandoned, and releases its space', async () => {
    const usage = async () => (await send('GET', '/api/v1/usage', stage.owner)).json();
    const before = await usage();
    const id = await reserve(Buffer.from('12345'), { sha256: '0'.repeat(64) });
    await put(await addressOf(id), Buffer.from('12345'));
    expectProblem(await complete(id), 400, 'checksum_mismatch');
    expect(await usage()).toEqual(before);
    expect(await findings()).toEqual([]);
  });

  test('409 and 412 if its place was taken meanwhile', async () => {
    const bytes = Buffer.from('1');
    const file = await stage.newFile(project, 'taken', 'old');
    const id = await reserve(bytes, { name: 'taken', ifTaken: 'version', ifMatch: file['etag'] });
    const other = await reserve(bytes, { name: 'free' });
    await stage.newFile(project, 'taken', 'newer', 'ifTaken=version');
    await stage.newFile(project, 'free', 'newer');
    for (const one of [id, other]) await put(await addressOf(one), bytes);
    expectProblem(await complete(id), 412, 'precondition_failed');
    expectProblem(await complete(other), 409, 'name_taken');
  });

  test('is completed by the worker if its process died after marking', async () => {
    const id = await reserve(Buffer.from('12345'));
    await put(await addressOf(id), Buffer.from('12345'));
    const upload = await findUpload(stage.access.database, id);
    if (upload === null) throw new Error('no upload');
    await markCompleting(stage.access.database, upload, { name: upload.stagedName ?? '', sha256: null });
    await finishUploads(stage.upkeep);
    const { state, fileId } = (await send('GET', `/api/v1/uploads/${id}`, stage.owner)).json();
    expect([state, (await stage.contentOf(fileId)).text]).toEqual(['completed', '12345']);
  });

  test('may also be completed with one request; the parts are then discarded', async () => {
    const id = await reserve(Buffer.from('12345'));
    await put(await addressOf(id), Buffer.from('12345'));
    await fetch(`http://127.0.0.1:${stage.app.port}/api/v1/uploads/${id}/content`, {
      method: 'PUT',
      headers: stage.owner,
      body: '54321',
    });
    const { fileId } = (await send('GET', `/api/v1/uploads/${id}`, stage.owner)).json();
    expect((await stage.contentOf(fileId)).text).toBe('54321');
    expect(await findings()).toEqual([]);
  });

  test('continues after the S3 server was killed', async () => {
    const id = await reserve(Buffer.from('12345'));
    const url = await addressOf(id);
    await put(url, Buffer.from('12345'));
    await server.kill();
    await server.start();
    expect((await complete(id)).status).toBe(200);
  });
});

describe('an upload by tus', () => {
  beforeAll(() => stage.giveRoom(1e9));
  const { created, patch } = tusRequests(
    () => stage,
    () => project,
  );
  const fileIdOf = async (url: string): Promise<unknown> => {
    const { state, fileId } = (await send('GET', url.replace('/tus/', '/uploads/'), stage.owner)).json();
    expect(state).toBe('completed');
    return fileId;
  };

  test.each([[[1]], [[appendedPartBytes]], [[3, 1_000_000, appendedPartBytes - 7, appendedPartBytes + 5]]])(
    'in requests that end at %j arrives unchanged after any crash; a worker adds a missing hash',
    async (ends) => {
      const bytes = randomBytes(ends.at(-1) ?? 0);
      const url = await created(bytes.length);
      for (const [index, to] of ends.entries()) {
        const from = ends[index - 1] ?? 0;
        const answer = await patch(url, from, bytes.subarray(from, to));
        expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(to)]);
        if (index === 1) {
          await server.kill();
          await server.start();
        }
      }
      const fileId = await fileIdOf(url);
      expect((await stage.contentOf(fileId)).body.equals(bytes)).toBe(true);
      expect((await fileOf(fileId))['sha256']).toBe(ends.length === 1 ? sha256(bytes) : null);
      await stage.inspectAll();
      expect((await fileOf(fileId))['sha256']).toBe(sha256(bytes));
      expect(await findings()).toEqual([]);
    },
  );

  test('409 for direct parts: an upload uses one method', async () => {
    const url = await created(5);
    const id = idOf(url);
    for (const answer of [await sign(id), await complete(id)]) expectProblem(answer, 409, 'conflict');
  });

  test('whose part was replaced by other bytes is abandoned, not published', async () => {
    const bytes = randomBytes(appendedPartBytes + 1);
    const url = await created(bytes.length);
    await patch(url, 0, bytes.subarray(0, appendedPartBytes));
    const upload = await findUpload(stage.access.database, idOf(url));
    const other = { number: 1, size: appendedPartBytes, md5: null };
    const address = await direct.signPart(upload?.stagedName ?? '', other, 60);
    expect(await put(address, randomBytes(appendedPartBytes))).toBe(200);
    expectProblem(await patch(url, appendedPartBytes, bytes.subarray(-1)), 400, 'checksum_mismatch');
    expect(await findings()).toEqual([]);
  });
});

describe('POST /api/v1/files/{id}/content-address', () => {
  const ask = (id: string, body: object = {}, headers = stage.owner) =>
    send('POST', `/api/v1/files/${id}/content-address`, headers, body);

  test('200: returns a URL that serves the bytes as an attachment, also by range, and not when altered', async () => {
    const { id } = await stage.newFile(project, 'Straße “x”.html', '<p>hello', 'mediaType=text/html');
    const answer = await ask(id);
    expect(answer.status).toBe(200);
    const url = String(answer.json()['url']);
    const read = await fetch(url, { headers: { range: 'bytes=3-' } });
    expect([read.status, await read.text()]).toEqual([206, 'hello']);
    expect(read.headers.get('content-type')).toBe('application/octet-stream');
    expect(read.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''Stra%C3%9Fe/);
    expect((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  test('404 for non-members and for an unknown version', async () => {
    const { id } = await stage.newFile(project, 'hidden', 'x');
    expectProblem(await ask(id, {}, stage.stranger), 404, 'not_found');
    expectProblem(await ask(id, { version: 9 }), 404, 'not_found');
  });
});

test('answers the requests of the guide for parts and URLs in sequence', async () => {
  const guide = new URL('../../../../docs/guides/storage-api.md', import.meta.url);
  const sample = (await readSamples(guide)).find(({ text }) => text.includes('/parts'));
  const { id: FILE } = await stage.newFile(project, 'plan.pdf', 'a plan');
  const UPLOAD = await reserve(Buffer.from('a plan'));
  await put(await addressOf(UPLOAD), Buffer.from('a plan'));
  const key = await send('POST', '/api/v1/api-keys', stage.owner, { name: 'guide' });
  const env = {
    ...process.env,
    FILE,
    UPLOAD,
    KEY: String(key.json()['key']),
    URL: `http://127.0.0.1:${stage.app.port}/api/v1`,
  };
  const command = String(sample?.text).replaceAll(/^curl /gm, 'curl -sS --fail-with-body ');
  const { stdout } = await promisify(execFile)('bash', ['-euc', command], { env });
  expect(stdout).toMatch(/"arrived":true.*"state":"completed".*"url":"http/s);
});
