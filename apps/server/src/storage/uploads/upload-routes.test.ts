import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, expectProblem } from '../../../test/http-client.ts';
import { testStorage } from '../../../test/identity.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { dayMs } from '../../foundation/clock.ts';
import { addMs } from '../../foundation/instant.ts';
import { lateBytesMs } from '../storage-deps.ts';
import { removeGarbage } from '../trash/empty-trash.ts';
import { verifyStorage } from '../verify-storage.ts';
import { completeUpload } from './complete-upload.ts';
import { discardLeftovers, finishUploads } from './finish-uploads.ts';
import { findUpload, markCompleting } from './upload-store.ts';
import type { UploadId } from './upload.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
let named = 0;
const newName = (): string => `file ${(named += 1)}`;
const reserve = (fields: object = {}, headers = stage.owner) =>
  send('POST', '/api/v1/uploads', headers, { projectId: project, name: newName(), size: 5, ...fields });
const reserved = async (fields: object = {}): Promise<UploadId> => {
  const answer = await reserve(fields);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json()['id'] as UploadId;
};
const put = (id: string, body: string | Buffer = '12345', headers: Readonly<Record<string, string>> = {}) =>
  ask(stage.app.port, `/api/v1/uploads/${id}/content`, {
    method: 'PUT',
    headers: { ...stage.owner, ...headers },
    body,
  });
const stateOf = async (id: string): Promise<unknown> =>
  (await send('GET', `/api/v1/uploads/${id}`, stage.owner)).json()['state'];
const usage = async () => (await send('GET', '/api/v1/usage', stage.owner)).json() as Usage;
type Usage = Readonly<Record<'usedBytes' | 'reservedBytes', number>>;

describe('POST /api/v1/uploads', () => {
  test('201 reserves the space; 204 releases it', async () => {
    const before = await usage();
    const id = await reserved({ size: 1_000 });
    expect(await usage()).toEqual({ ...before, reservedBytes: before.reservedBytes + 1_000 });
    expect((await send('DELETE', `/api/v1/uploads/${id}`, stage.owner)).status).toBe(204);
    expect((await send('DELETE', `/api/v1/uploads/${id}`, stage.owner)).status).toBe(204);
    expect([await usage(), await stateOf(id)]).toEqual([before, 'abandoned']);
    expectProblem(await put(id), 409, 'conflict');
  });

  test.each([{ size: -1 }, { size: 6e9 }, { name: 'a/b' }, { mediaType: 'x\r\ny' }, { sha256: 'ab' }])(
    '400: %j',
    async (fields) => {
      expectProblem(await reserve(fields), 400, 'invalid_request');
    },
  );

  test('403 with read permission only, 404 for non-members and unknown places', async () => {
    expectProblem(await reserve({}, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await reserve({}, stage.stranger), 404, 'not_found');
    expectProblem(await reserve({ folderId: nowhere }), 404, 'not_found');
  });

  test('409: for a taken name, and for insufficient space', async () => {
    await stage.newFile(project, 'There', 'x');
    expectProblem(await reserve({ name: 'there' }), 409, 'name_taken');
    expectProblem(await reserve({ size: testStorage.quotaBytes }), 409, 'quota_exceeded');
  });

  test('412: for a file that has changed', async () => {
    await stage.newFile(project, 'Known', 'x');
    const other = { name: 'known', ifTaken: 'version', ifMatch: '"other"' };
    expectProblem(await reserve(other), 412, 'precondition_failed');
    expectProblem(await reserve({ ifMatch: '"other"' }), 412, 'precondition_failed');
  });
});

describe('PUT /api/v1/uploads/{upload}/content', () => {
  test('200: stores the bytes as the file; a repeated request gets the same response', async () => {
    const bytes = randomBytes(3_000_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const id = await reserved({ size: bytes.length, sha256, mediaType: 'image/png' });
    const answer = await put(id, bytes);
    expect(answer.json()).toMatchObject({ size: bytes.length, sha256, mediaType: 'image/png', version: 1 });
    const again = await put(id, bytes);
    expect(again.json()).toEqual(answer.json());
    expect((await stage.contentOf(answer.json()['id'])).body.equals(bytes)).toBe(true);
  });

  test('400: for fewer, more or other bytes than announced; another attempt is possible', async () => {
    const id = await reserved({ sha256: createHash('sha256').update('right').digest('hex') });
    expectProblem(await put(id, '1234'), 400, 'checksum_mismatch');
    expectProblem(await put(id, 'wrong'), 400, 'checksum_mismatch');
    const chunked = httpRequest({
      port: stage.app.port,
      path: `/api/v1/uploads/${id}/content`,
      method: 'PUT',
      headers: { ...stage.owner, 'transfer-encoding': 'chunked' },
      agent: false,
    });
    // Answered before the body has ended: no more is read than was announced.
    chunked.write('123456');
    const [response] = (await once(chunked, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(400);
    chunked.destroy();
    expect(await Array.fromAsync(stage.bucket.staged())).toEqual([]);
    expect((await put(id, 'right')).status).toBe(200);
  });

  test('403: for a caller who may no longer create files', async () => {
    const { headers, id: accountId } = await stage.acme.addMember('member');
    const id = String((await reserve({}, headers)).json()['id']);
    // As a process of an earlier release changes the role, which does not end the upload.
    const demotion =
      "UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1 AND organization_id = $2";
    await stage.database.asSuperuser(demotion, [accountId, stage.acme.id]);
    stage.age();
    expectProblem(await put(id, '12345', headers), 403, 'forbidden');
    expect((await send('DELETE', `/api/v1/uploads/${id}`, headers)).status).toBe(204);
  });

  test('404: for an upload of another account with write permission', async () => {
    const { headers } = await stage.acme.addMember('member');
    const id = await reserved();
    expectProblem(await put(id, '12345', headers), 404, 'not_found');
    expectProblem(await send('GET', `/api/v1/uploads/${id}`, headers), 404, 'not_found');
    expectProblem(await send('DELETE', `/api/v1/uploads/${id}`, headers), 404, 'not_found');
    expectProblem(await put(nowhere), 404, 'not_found');
  });

  test('409: for a name taken meanwhile, and releases the space', async () => {
    const before = await usage();
    const name = newName();
    const id = await reserved({ name });
    await stage.newFile(project, name, 'first');
    expectProblem(await put(id), 409, 'name_taken');
    expect(await stateOf(id)).toBe('abandoned');
    expect(await usage()).toEqual({ ...before, usedBytes: before.usedBytes + 5 });
  });

  test('409: for a folder deleted meanwhile; 412: for a file changed meanwhile', async () => {
    const folder = await stage.newFolder(project, newName());
    const inFolder = await reserved({ folderId: folder.id });
    await send('DELETE', `/api/v1/folders/${folder.id}`, stage.owner);
    expectProblem(await put(inFolder), 409, 'conflict');
    const name = newName();
    const { etag } = await stage.newFile(project, name, 'first');
    const version = await reserved({ name, ifTaken: 'version', ifMatch: etag });
    await stage.newFile(project, name, 'other', 'ifTaken=version');
    expectProblem(await put(version), 412, 'precondition_failed');
  });

  test('409: refuses to abandon a completed upload', async () => {
    const id = await reserved();
    await put(id);
    expectProblem(await send('DELETE', `/api/v1/uploads/${id}`, stage.owner), 409, 'conflict');
  });

  test('leaves nothing after a disconnect, and allows another attempt', async () => {
    const id = await reserved({ size: 1_000_000 });
    const broken = httpRequest({
      port: stage.app.port,
      path: `/api/v1/uploads/${id}/content`,
      method: 'PUT',
      headers: { ...stage.owner, 'content-length': '1000000' },
      agent: false,
    });
    broken.on('error', () => {});
    broken.write(Buffer.alloc(500_000));
    await expect.poll(() => Array.fromAsync(stage.bucket.staged())).toHaveLength(1);
    broken.destroy();
    await expect.poll(() => Array.fromAsync(stage.bucket.staged())).toEqual([]);
    expect(await stateOf(id)).toBe('open');
    expect((await put(id, Buffer.alloc(1_000_000))).status).toBe(200);
  });

  test('returns the one file to many requests for one upload', async () => {
    const before = await usage();
    const id = await reserved();
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await usage()).toEqual({ ...before, usedBytes: before.usedBytes + 5 });
  });
});

describe('after a crash', () => {
  async function stageBytes(id: UploadId) {
    const upload = await findUpload(stage.access.database, id);
    if (upload === null) throw new Error('no upload');
    const content = { body: Readable.from([Buffer.from('12345')]), size: 5 };
    const staged = await stage.bucket.stage(upload.blobKey, content, new AbortController().signal);
    return { upload, ...staged };
  }

  /** All bytes staged and the row marked, as left by a process that died. */
  async function diedAfterMarking(published: boolean): Promise<UploadId> {
    const id = await reserved();
    const { upload, name, sha256 } = await stageBytes(id);
    await markCompleting(stage.access.database, upload, { name, sha256 });
    if (published) await stage.bucket.publish(name);
    return id;
  }

  test.each([false, true])('the client continues from the row (published: %s)', async (published) => {
    const id = await diedAfterMarking(published);
    const answer = await put(id);
    expect(answer.status).toBe(200);
    expect((await stage.contentOf(answer.json()['id'])).text).toBe('12345');
  });

  test.each([false, true])('the worker continues from the row (published: %s)', async (published) => {
    const id = await diedAfterMarking(published);
    await finishUploads(stage.upkeep);
    expect(await stateOf(id)).toBe('completed');
  });

  test('an upload that the bucket refuses to publish does not stop the worker', async () => {
    const ids = [await diedAfterMarking(false), await diedAfterMarking(false)];
    let tries = 0;
    const publish: typeof stage.bucket.publish = (name, tags) =>
      (tries += 1) === 1 ? Promise.reject(new Error('in progress')) : stage.bucket.publish(name, tags);
    const worker = { ...stage.upkeep, bucket: { ...stage.bucket, publish } };
    await expect(finishUploads(worker)).rejects.toThrow('1 uploads');
    expect(new Set(await Promise.all(ids.map(stateOf)))).toEqual(new Set(['completing', 'completed']));
    await finishUploads(worker);
  });

  test('two concurrent completions create one file', async () => {
    const before = await usage();
    const id = await diedAfterMarking(false);
    const upload = await findUpload(stage.access.database, id);
    if (upload === null) throw new Error('no upload');
    const files = await Promise.all([1, 2, 3].map(() => completeUpload(stage.upkeep, upload, null)));
    expect(new Set(files.map((file) => file.id)).size).toBe(1);
    expect(await usage()).toEqual({ ...before, usedBytes: before.usedBytes + 5 });
  });

  test('bytes under the key of an open row expire with it, and are removed when no more can arrive', async () => {
    const before = await usage();
    const upload = await findUpload(stage.access.database, await reserved());
    if (upload === null) throw new Error('no upload');
    const content = { body: Readable.from([Buffer.from('12345')]), size: 5 };
    await stage.bucket.put(upload.blobKey, content, new AbortController().signal);
    const sweepAfter = async (ms: number): Promise<number | null> => {
      const clock = { now: () => addMs(stage.clock.now(), ms), nowMs: stage.clock.nowMs };
      const deps = { ...stage.upkeep, clock, settings: { ...stage.upkeep.settings, graceDays: 0 } };
      await finishUploads(deps);
      await removeGarbage(deps);
      return stage.bucket.sizeOf(upload.blobKey);
    };
    expect(await sweepAfter(0)).toBe(5);
    expect([await sweepAfter(dayMs), await stateOf(upload.id)]).toEqual([5, 'abandoned']);
    expect((await usage()).reservedBytes).toBeLessThanOrEqual(before.reservedBytes);
    expect(await sweepAfter(dayMs + lateBytesMs)).toBe(null);
    expect(await findUpload(stage.access.database, upload.id)).toBe(null);
  });

  test('bytes of an ended upload are discarded, those of an open one are not', async () => {
    const [open, ended] = [await reserved(), await reserved()];
    await send('DELETE', `/api/v1/uploads/${ended}`, stage.owner);
    const [{ name: kept }] = await Promise.all([stageBytes(open), stageBytes(ended)]);
    await discardLeftovers(stage.upkeep);
    expect(await Array.fromAsync(stage.bucket.staged())).toEqual([kept]);
    await stage.bucket.discard(kept);
  });

  test('releases the space after 24 hours without bytes', async () => {
    const before = await usage();
    const id = await reserved({ size: 9_000 });
    await finishUploads(stage.upkeep);
    expect(await stateOf(id)).toBe('open');
    const later = { now: () => addMs(stage.clock.now(), 86_400_000), nowMs: stage.clock.nowMs };
    await finishUploads({ ...stage.upkeep, clock: later });
    expect(await stateOf(id)).toBe('abandoned');
    expect((await usage()).reservedBytes).toBeLessThanOrEqual(before.reservedBytes);
  });
});

describe('POST /api/v1/projects/{project}/files', () => {
  test('201: with a name, a version or another name, as requested', async () => {
    const first = await stage.newFile(project, 'One.txt', 'one');
    const second = await stage.newFile(project, 'one.TXT', 'two', 'ifTaken=version');
    expect(second).toMatchObject({ id: first.id, name: 'One.txt', version: 2 });
    const third = await stage.newFile(project, 'One.txt', 'three', 'ifTaken=rename');
    expect(third).toMatchObject({ name: 'One (2).txt', version: 1 });
    expect((await stage.contentOf(first.id)).text).toBe('two');
    expect((await stage.contentOf(first.id, stage.owner, '?version=1')).text).toBe('one');
  });

  test('400, 403, 404, 409, 412, 413: leaves nothing behind', async () => {
    const before = await usage();
    await stage.newFile(project, 'Here', 'x');
    expectProblem(await stage.store(project, 'name=..', 'x'), 400, 'invalid_request');
    expectProblem(
      await stage.store(project, `name=n&sha256=${'0'.repeat(64)}`, 'x'),
      400,
      'checksum_mismatch',
    );
    expectProblem(await stage.store(project, 'name=n', 'x', stage.viewer.headers), 403, 'forbidden');
    expectProblem(await stage.store(project, 'name=n', 'x', stage.stranger), 404, 'not_found');
    expectProblem(await stage.store(project, 'name=here', 'x'), 409, 'name_taken');
    expectProblem(
      await stage.store(project, 'name=n', Buffer.alloc(testStorage.quotaBytes)),
      409,
      'quota_exceeded',
    );
    const match = { ...stage.owner, 'if-match': '"other"' };
    expectProblem(
      await stage.store(project, 'name=here&ifTaken=version', 'x', match),
      412,
      'precondition_failed',
    );
    const large = { ...stage.owner, 'content-length': String(6e9), expect: '100-continue' };
    expectProblem(await stage.store(project, 'name=n', '', large), 413, 'payload_too_large');
    expect(await usage()).toEqual({ ...before, usedBytes: before.usedBytes + 1 });
  });

  test('leaves nothing after a disconnect, and releases the space', async () => {
    const before = await usage();
    const broken = httpRequest({
      port: stage.app.port,
      path: `/api/v1/projects/${project}/files?name=${encodeURIComponent(newName())}`,
      method: 'POST',
      headers: { ...stage.owner, 'content-length': '1000000' },
      agent: false,
    });
    broken.on('error', () => {});
    broken.write(Buffer.alloc(500_000));
    await expect.poll(usage).toEqual({ ...before, reservedBytes: before.reservedBytes + 1_000_000 });
    broken.destroy();
    await expect.poll(usage).toEqual(before);
    expect(await Array.fromAsync(stage.bucket.staged())).toEqual([]);
  });

  test('removes bytes other than announced from the bucket', async () => {
    const keys = async () => (await Array.fromAsync(stage.bucket.objects())).map(({ key }) => key);
    const before = await keys();
    const query = `name=${encodeURIComponent(newName())}&sha256=${'0'.repeat(64)}`;
    expectProblem(await stage.store(project, query, 'x'), 400, 'checksum_mismatch');
    expect(await keys()).toEqual(before);
  });

  test('400 without Content-Length', async () => {
    const headers = { ...stage.owner, 'transfer-encoding': 'chunked' };
    expectProblem(await stage.store(project, 'name=n', '', headers), 400, 'invalid_request');
  });
});

test('leaves rows and bytes consistent after the tests above', async () => {
  await discardLeftovers(stage.upkeep);
  const findings = await verifyStorage(stage.upkeep);
  expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
});

test('409 for direct uploads and presigned URLs if the bucket is a folder', async () => {
  const id = await reserved();
  const file = await stage.newFile(project, newName(), '1');
  for (const [method, path, body] of [
    ['POST', `/api/v1/uploads/${id}/parts`, { parts: [{ number: 1 }] }],
    ['GET', `/api/v1/uploads/${id}/parts`, undefined],
    ['POST', `/api/v1/uploads/${id}/complete`, {}],
    ['POST', `/api/v1/files/${file.id}/content-address`, {}],
  ] as const)
    expectProblem(await send(method, path, stage.owner, body), 409, 'direct_not_offered');
});

test('409: sends no bytes to the bucket after the upload’s 24 hours', async () => {
  const { reservedBytes } = await usage();
  const slow = httpRequest({
    port: stage.app.port,
    path: `/api/v1/projects/${project}/files?name=slow`,
    method: 'POST',
    headers: { ...stage.owner, 'content-length': '10' },
    agent: false,
  });
  slow.write('12345');
  await expect.poll(async () => (await usage()).reservedBytes).toBe(reservedBytes + 10);
  stage.clock.advance({ days: 1 });
  slow.end('67890');
  const [response] = (await once(slow, 'response')) as [{ statusCode: number; resume: () => void }];
  response.resume();
  expect(response.statusCode).toBe(409);
  expect(await Array.fromAsync(stage.bucket.staged())).toEqual([]);
});
