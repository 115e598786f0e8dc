import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, expectProblem } from '../../../test/http-client.ts';
import { testStorage } from '../../../test/identity.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import {
  idOf,
  offsetOf,
  pieceType,
  tusMetadata,
  tusRequests,
  tusVersion,
} from '../../../test/tus-requests.ts';
import { addMs } from '../../foundation/instant.ts';
import { verifyStorage } from '../verify-storage.ts';
import { discardLeftovers, finishUploads } from './finish-uploads.ts';
import { readMetadata } from './tus-headers.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const { newName, create, createWith, created, patch, head, end, uploadOf, contentOf } = tusRequests(
  () => stage,
  () => project,
);

describe('OPTIONS', () => {
  test.each(['/api/v1/tus', `/api/v1/tus/${nowhere}`])('204 %s: capabilities', async (path) => {
    const { status, headers } = await ask(stage.app.port, path, { method: 'OPTIONS' });
    expect([status, headers]).toEqual([
      204,
      expect.objectContaining({
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,expiration,termination',
        'tus-max-size': String(5 * 1024 ** 3),
      }),
    ]);
  });
});

test('405: refuses to read an upload', async () => {
  const answer = await ask(stage.app.port, `/api/v1/tus/${nowhere}`, { headers: stage.owner });
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.headers.allow).toBe('DELETE, HEAD, OPTIONS, PATCH');
});

describe('POST /api/v1/tus', () => {
  test('201 reserves the space and returns the URL and expiry of the upload', async () => {
    const answer = await create(1_000, { filetype: 'text/plain;charset=utf-8', ifTaken: 'version' });
    expect([answer.status, answer.headers]).toEqual([
      201,
      expect.objectContaining({
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'cache-control': 'no-store',
        location: expect.stringMatching(/^\/api\/v1\/tus\/[0-9a-f-]{36}$/),
        'upload-expires': expect.stringMatching(/ GMT$/),
      }),
    ]);
    const url = answer.headers.location ?? '';
    expect(await uploadOf(url)).toMatchObject({ size: 1_000, mediaType: 'text/plain', state: 'open' });
    await end(url);
  });

  test('201: creates a file without bytes at once', async () => {
    const url = await created(0);
    expect(await uploadOf(url)).toMatchObject({ state: 'completed' });
    expect([(await head(url)).headers['upload-length'], (await contentOf(url)).length]).toEqual(['0', 0]);
  });

  test.each([
    ['-1', {}],
    ['1e3', {}],
    ['', {}],
    [1, { filename: 'a/b' }],
    [1, { filename: '' }],
    [1, { ifTaken: 'overwrite' }],
    [1, { sha256: 'ab' }],
    [1, { ifMatch: 'a\0b' }],
    [1, { filetype: 'x\r\ny' }],
  ])('400: %j %j', async (size, fields) => {
    expectProblem(await create(size, fields), 400, 'invalid_request');
  });

  test.each(['filename', 'filename !', 'a b c', 'filename YQ==,filename YQ=='])(
    '400: metadata %j',
    async (raw) => {
      const headers = { ...tusVersion, ...stage.owner, 'upload-length': '1', 'upload-metadata': raw };
      expectProblem(
        await ask(stage.app.port, '/api/v1/tus', { method: 'POST', headers }),
        400,
        'invalid_request',
      );
    },
  );

  test('401 without a credential, 403 with read permission only, 404 for non-members', async () => {
    const stranger = await create(1, {}, {});
    expectProblem(stranger, 401, 'unauthenticated');
    expect(stranger.headers['tus-resumable']).toBe('1.0.0');
    expectProblem(await create(1, {}, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await create(1, {}, stage.stranger), 404, 'not_found');
    expectProblem(await create(1, { folderId: nowhere }), 404, 'not_found');
  });

  test('409: for a taken name, and for insufficient space', async () => {
    await stage.newFile(project, 'There', 'x');
    expectProblem(await create(1, { filename: 'there' }), 409, 'name_taken');
    expectProblem(await create(testStorage.quotaBytes), 409, 'quota_exceeded');
  });

  test('412: for another protocol version, and for a file that has changed', async () => {
    const other = await create(1, {}, { ...stage.owner, 'tus-resumable': '0.2.2' });
    expectProblem(other, 412, 'unsupported_tus_version');
    expect(other.headers['tus-version']).toBe('1.0.0');
    expectProblem(await create(1, { ifMatch: '"other"' }), 412, 'precondition_failed');
  });

  test('413: for more than the maximum file size', async () => {
    expectProblem(await create(5 * 1024 ** 3 + 1), 413, 'payload_too_large');
  });
});

describe('POST /api/v1/tus with the first bytes', () => {
  test('201: stores a part of the file, and continues after it', async () => {
    const answer = await createWith(5, '12');
    expect([answer.status, offsetOf(answer)]).toEqual([201, '2']);
    const url = answer.headers.location ?? '';
    expect(offsetOf(await patch(url, 2, '345'))).toBe('5');
    expect(String(await contentOf(url))).toBe('12345');
  });

  test('201: completes the file with all its bytes', async () => {
    const answer = await createWith(5, '12345');
    expect([answer.status, offsetOf(answer), answer.headers['upload-expires']]).toEqual([
      201,
      '5',
      undefined,
    ]);
    expect(String(await contentOf(answer.headers.location ?? ''))).toBe('12345');
  });

  test('400 cancels the upload: its bytes differ from the announced hash', async () => {
    const before = (await stage.send('GET', '/api/v1/usage', stage.owner)).json();
    const sha256 = createHash('sha256').update('right').digest('hex');
    expectProblem(await createWith(5, 'wrong', { sha256 }), 400, 'checksum_mismatch');
    expect((await stage.send('GET', '/api/v1/usage', stage.owner)).json()).toEqual(before);
  });

  test('releases the space when the connection ends before the bytes have arrived', async () => {
    const before = (await stage.send('GET', '/api/v1/usage', stage.owner)).json();
    const fields = { projectId: project, filename: newName() };
    const request = httpRequest({
      port: stage.app.port,
      path: '/api/v1/tus',
      method: 'POST',
      headers: {
        ...tusVersion,
        ...stage.owner,
        ...pieceType,
        'upload-length': '100000',
        'upload-metadata': tusMetadata(fields),
        'content-length': '100000',
      },
      agent: false,
    });
    request.on('error', () => {});
    request.write(randomBytes(1_000));
    const usage = async () => (await stage.send('GET', '/api/v1/usage', stage.owner)).json();
    await expect.poll(usage).not.toEqual(before);
    request.destroy();
    await expect.poll(usage).toEqual(before);
  });

  test('413 for more bytes than the file has; 415 for another type; both reserve nothing', async () => {
    const before = (await stage.send('GET', '/api/v1/usage', stage.owner)).json();
    expectProblem(await createWith(5, '123456'), 413, 'payload_too_large');
    const json = { 'content-type': 'application/json' };
    expectProblem(await createWith(5, '{"a":', {}, json), 415, 'unsupported_media_type');
    expect((await stage.send('GET', '/api/v1/usage', stage.owner)).json()).toEqual(before);
  });
});

describe('PATCH /api/v1/tus/{upload}', () => {
  test('204: assembles the file from consecutive pieces', async () => {
    const bytes = randomBytes(300_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const url = await created(bytes.length, { sha256 });
    expect(offsetOf(await patch(url, 0, bytes.subarray(0, 1)))).toBe('1');
    expect(offsetOf(await patch(url, 1, ''))).toBe('1');
    expect(offsetOf(await patch(url, 1, bytes.subarray(1, 200_000)))).toBe('200000');
    const last = await patch(url, 200_000, bytes.subarray(200_000));
    expect([last.status, offsetOf(last)]).toEqual([204, '300000']);
    const { fileId } = await uploadOf(url);
    const file = await stage.send('GET', `/api/v1/files/${String(fileId)}`, stage.owner);
    expect(file.json()).toMatchObject({ size: 300_000, sha256 });
    expect((await contentOf(url)).equals(bytes)).toBe(true);
    expect(offsetOf(await patch(url, 300_000, ''))).toBe('300000');
  });

  test('400: for bytes other than announced, which ends the upload', async () => {
    const wrong = { sha256: createHash('sha256').update('right').digest('hex') };
    for (const pieces of [['wrong'], ['wr', 'ong']]) {
      const url = await created(5, wrong);
      let [at, answer] = [0, await head(url)];
      for (const piece of pieces) {
        answer = await patch(url, at, piece);
        at += piece.length;
      }
      expectProblem(answer, 400, 'checksum_mismatch');
      expect((await head(url)).status).toBe(410);
    }
  });

  test.each(['', '-1', 'x'])('400: the offset %j', async (offset) => {
    expectProblem(await patch(await created(5), offset, '12345'), 400, 'invalid_request');
  });

  test('403: for a caller who may no longer create files', async () => {
    const { headers, id } = await stage.acme.addMember('member');
    const url = (await create(5, {}, headers)).headers.location ?? '';
    // As a process of an earlier release changes the role, which does not end the upload.
    const demotion =
      "UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1 AND organization_id = $2";
    await stage.database.asSuperuser(demotion, [id, stage.acme.id]);
    stage.age();
    expectProblem(await patch(url, 0, '12345', headers), 403, 'forbidden');
  });

  test('410: after a change of the role that allowed it', async () => {
    const { headers, username } = await stage.acme.addMember('member');
    const url = (await create(5, {}, headers)).headers.location ?? '';
    const path = `/dm/api/core/rbac/members/${username}?platform_key=${stage.acme.key}`;
    expect((await stage.send('PATCH', path, stage.owner, { role: 'viewer' })).status).toBe(200);
    stage.age();
    expectProblem(await patch(url, 0, '12345', headers), 410, 'upload_gone');
  });

  test('404: for an upload of another account, an unknown one, and one of another method', async () => {
    const { headers } = await stage.acme.addMember('member');
    const url = await created(5);
    const simple = { projectId: project, name: newName(), size: 5 };
    const other = await stage.send('POST', '/api/v1/uploads', stage.owner, simple);
    expectProblem(await patch(url, 0, '12345', headers), 404, 'not_found');
    expectProblem(await patch(`/api/v1/tus/${nowhere}`, 0, '1'), 404, 'not_found');
    expectProblem(await patch(`/api/v1/tus/${String(other.json()['id'])}`, 0, '12345'), 404, 'not_found');
  });

  test('409: for a wrong offset, a name taken meanwhile, and other methods for this upload', async () => {
    const name = newName();
    const url = await created(5, { filename: name });
    await patch(url, 0, '12');
    expectProblem(await patch(url, 0, '12345'), 409, 'offset_mismatch');
    expectProblem(await patch(url, 3, '45'), 409, 'offset_mismatch');
    const content = `/api/v1/uploads/${idOf(url)}/content`;
    const whole = await ask(stage.app.port, content, { method: 'PUT', headers: stage.owner, body: '12345' });
    expectProblem(whole, 409, 'conflict');
    await stage.newFile(project, name, 'first');
    expectProblem(await patch(url, 2, '345'), 409, 'name_taken');
    expect((await head(url)).status).toBe(410);
  });

  test('410: after it was ended, and after its expiry', async () => {
    const [ended, old] = [await created(5), await created(5)];
    await end(ended);
    expectProblem(await patch(ended, 0, '12345'), 410, 'upload_gone');
    const later = { now: () => addMs(stage.clock.now(), 86_400_000), nowMs: stage.clock.nowMs };
    await finishUploads({ ...stage.upkeep, clock: later });
    expectProblem(await patch(old, 0, '12345'), 410, 'upload_gone');
  });

  test('412: for a file that was changed meanwhile', async () => {
    const name = newName();
    const { etag } = await stage.newFile(project, name, 'first');
    const url = await created(5, { filename: name, ifTaken: 'version', ifMatch: String(etag) });
    await stage.newFile(project, name, 'other', 'ifTaken=version');
    expectProblem(await patch(url, 0, '12345'), 412, 'precondition_failed');
  });

  test('413: for more than announced; 415: for another type', async () => {
    const url = await created(5);
    expectProblem(await patch(url, 0, '123456'), 413, 'payload_too_large');
    const other = { 'content-type': 'application/octet-stream' };
    expectProblem(await patch(url, 0, '12345', other), 415, 'unsupported_media_type');
    expect(offsetOf(await head(url))).toBe('0');
  });
});

describe('HEAD /api/v1/tus/{upload}', () => {
  test('200: returns the offset, uncached', async () => {
    const url = await created(5);
    await patch(url, 0, '12');
    const { status, headers } = await head(url);
    expect([status, headers]).toEqual([
      200,
      expect.objectContaining({
        'upload-offset': '2',
        'upload-length': '5',
        'tus-resumable': '1.0.0',
        'cache-control': 'no-store',
      }),
    ]);
  });

  test('404 for others, 410 after it was ended, 412 for another version', async () => {
    const url = await created(5);
    expect((await head(url, stage.viewer.headers)).status).toBe(404);
    expect((await head(url, { ...stage.owner, 'tus-resumable': '2.0.0' })).status).toBe(412);
    await end(url);
    const gone = await head(url);
    expect([gone.status, offsetOf(gone)]).toEqual([410, undefined]);
  });
});

describe('DELETE /api/v1/tus/{upload}', () => {
  test('204 releases the space, 404 for others, 409 once it is a file', async () => {
    const before = (await stage.send('GET', '/api/v1/usage', stage.owner)).json();
    const url = await created(5);
    await patch(url, 0, '12');
    expectProblem(await end(url, stage.viewer.headers), 404, 'not_found');
    expect((await end(url)).status).toBe(204);
    expect((await stage.send('GET', '/api/v1/usage', stage.owner)).json()).toEqual(before);
    const done = await created(1);
    await patch(done, 0, '1');
    expectProblem(await end(done), 409, 'conflict');
  });
});

test('reads metadata in the format of the protocol', () => {
  expect(readMetadata('')).toEqual({});
  expect(readMetadata('is_confidential,filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==')).toEqual({
    is_confidential: '',
    filename: 'world_domination_plan.pdf',
  });
});

test('leaves rows and bytes consistent after the tests above', async () => {
  await discardLeftovers(stage.upkeep);
  const findings = await verifyStorage(stage.upkeep);
  expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
});
