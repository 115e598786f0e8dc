import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import { testStorage } from '../../../test/identity.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { addMs } from '../../foundation/instant.ts';
import { emptyTrash, removeGarbage, removeOldVersions } from '../trash/empty-trash.ts';
import { verifyStorage } from '../verify-storage.ts';

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
const usedBytes = async () => (await send('GET', '/api/v1/usage', stage.owner)).json()['usedBytes'] as number;
const keyOf = async (id: string, version: number): Promise<string> => {
  const sql = 'SELECT blob_key FROM storage.version WHERE file_id = $1 AND number = $2';
  const [row] = await stage.database.asSuperuser(sql, [id, version]);
  return String(row?.['blob_key']);
};

describe('GET /api/v1/files/{id}/content', () => {
  test('200, 206, 304, 416: as an attachment that a browser neither renders nor runs', async () => {
    const { id, etag } = await stage.newFile(project, 'page "x".html', '<script>alert(1)</script>');
    const whole = await stage.contentOf(id, stage.viewer.headers);
    expect(whole.headers).toMatchObject({
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="page _x_.html"; filename*=UTF-8''page%20%22x%22.html`,
      'cache-control': 'private, no-cache',
    });
    const part = await stage.contentOf(id, { ...stage.owner, range: 'bytes=1-6' });
    expect([part.status, part.text]).toEqual([206, 'script']);
    const held = await stage.contentOf(id, { ...stage.owner, 'if-none-match': String(etag) });
    expect(held.status).toBe(304);
    const beyond = await stage.contentOf(id, { ...stage.owner, range: 'bytes=99-' });
    expectProblem(beyond, 416, 'range_not_satisfiable');
  });

  test('never returns a media type that a browser would run or style a page with', async () => {
    const types = ['text/html', 'text/javascript', 'image/svg+xml', 'text/css', 'application/wasm'];
    for (const stated of types) {
      const { id } = await stage.newFile(project, newName(), 'x', `mediaType=${encodeURIComponent(stated)}`);
      const file = (await send('GET', `/api/v1/files/${id}`, stage.owner)).json();
      const { headers } = await stage.contentOf(id);
      expect([file['mediaType'], headers['content-type']]).toEqual([stated, 'application/octet-stream']);
      const part = await stage.contentOf(id, { ...stage.owner, range: 'bytes=0-0' });
      expect(part.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    const { id } = await stage.newFile(project, newName(), 'x', 'mediaType=image/png');
    expect((await stage.contentOf(id)).headers['content-type']).toBe('image/png');
  });

  test('404: for non-members, folders and unknown versions', async () => {
    const { id } = await stage.newFile(project, newName(), 'x');
    const folder = await stage.newFolder(project, newName());
    expectProblem(await stage.contentOf(id, stage.stranger), 404, 'not_found');
    expectProblem(await stage.contentOf(folder.id), 404, 'not_found');
    expectProblem(await stage.contentOf(id, stage.owner, '?version=2'), 404, 'not_found');
  });
});

describe('versions', () => {
  const list = (id: string, headers = stage.owner, rest = '') =>
    send('GET', `/api/v1/files/${id}/versions?limit=100${rest}`, headers);

  test('200: lists the last twenty, and releases the space of older ones', async () => {
    const before = await usedBytes();
    const name = newName();
    let file = await stage.newFile(project, name, '0');
    for (let turn = 1; turn < 25; turn += 1)
      file = await stage.newFile(project, name, String(turn % 10), 'ifTaken=version');
    const numbers = ((await list(file.id)).json()['data'] as { version: number }[]).map(
      ({ version }) => version,
    );
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(await usedBytes()).toBe(before + 20);
  });

  test('keeps only the current version after 90 days, and removes other bytes after the grace period', async () => {
    const name = newName();
    await stage.newFile(project, name, 'old');
    const { id } = await stage.newFile(project, name, 'new', 'ifTaken=version');
    const later = (days: number) => ({
      ...stage.upkeep,
      clock: { now: () => addMs(stage.clock.now(), days * 86_400_000), nowMs: stage.clock.nowMs },
    });
    const key = await keyOf(id, 1);
    await removeOldVersions(later(91));
    expect((await list(id)).json()['data']).toMatchObject([{ version: 2 }]);
    await removeGarbage(later(120));
    expect(await stage.bucket.sizeOf(key)).toBe(3);
    await removeGarbage(later(122));
    expect(await stage.bucket.sizeOf(key)).toBe(null);
    expect((await stage.contentOf(id)).text).toBe('new');
  });

  test('counts the 90 days of a version from its replacement, and the 30 days of other accounts too', async () => {
    const { id } = await stage.newFile(project, 'replaced', 'original');
    const age = (days: number): Promise<unknown> =>
      stage.database.asSuperuser(
        'UPDATE storage.version SET created_at = created_at - make_interval(days => $2) WHERE file_id = $1',
        [id, days],
      );
    await age(100);
    const member = await stage.acme.addMember('member');
    for (let turn = 0; turn < 21; turn += 1)
      await stage.store(project, 'name=replaced&ifTaken=version', '', member.headers);
    await removeOldVersions(stage.upkeep);
    expect((await stage.contentOf(id, stage.owner, '?version=1')).text).toBe('original');
    await age(91);
    await removeOldVersions(stage.upkeep);
    expect((await list(id)).json()['data']).toMatchObject([{ version: 22 }]);
  });

  test('retains versions of other accounts beyond twenty for 30 days', async () => {
    const { id } = await stage.newFile(project, 'pushed out', 'original');
    const member = await stage.acme.addMember('member');
    const push = async (times: number): Promise<void> => {
      for (let turn = 0; turn < times; turn += 1)
        expect(
          (await stage.store(project, 'name=pushed+out&ifTaken=version', '', member.headers)).status,
        ).toBe(201);
    };
    await push(22);
    const numbers = await stage.database.asSuperuser(
      'SELECT number FROM storage.version WHERE file_id = $1 ORDER BY number',
      [id],
    );
    expect(numbers.map((row) => row['number'])).toEqual([
      1,
      ...Array.from({ length: 20 }, (_, at) => at + 4),
    ]);
    expect((await stage.contentOf(id, stage.owner, '?version=1')).text).toBe('original');
    await stage.database.asSuperuser(
      "UPDATE storage.version SET created_at = created_at - interval '31 days' WHERE file_id = $1",
      [id],
    );
    await push(1);
    expect((await stage.contentOf(id, stage.owner, '?version=1')).status).toBe(404);
  });

  test('204: deletes an earlier version and frees its storage; 403 for members, 404 for unknown ones, 409 for the current one', async () => {
    const { id } = await stage.newFile(project, 'two versions', '12345');
    await stage.newFile(project, 'two versions', '1', 'ifTaken=version');
    const used = async () => (await send('GET', '/api/v1/usage', stage.owner)).json()['usedBytes'] as number;
    const before = await used();
    const remove = (version: number, headers = stage.owner) =>
      send('DELETE', `/api/v1/files/${id}/versions/${version}`, headers);
    expectProblem(await remove(1, (await stage.acme.addMember('member')).headers), 403, 'forbidden');
    expectProblem(await remove(2), 409, 'conflict');
    expectProblem(await remove(9), 404, 'not_found');
    expect((await remove(1)).status).toBe(204);
    expect(await used()).toBe(before - 5);
    expect((await stage.contentOf(id)).text).toBe('1');
  });

  test('400: a cursor of another list; 404: for non-members', async () => {
    const { id } = await stage.newFile(project, newName(), 'x');
    expectProblem(await list(id, stage.owner, '&cursor=x'), 400, 'invalid_cursor');
    expectProblem(await list(id, stage.stranger), 404, 'not_found');
  });
});

describe('POST …/versions/{version}/restore and …/copy', () => {
  const restore = (id: string, version: number | string, headers = stage.owner) =>
    send('POST', `/api/v1/files/${id}/versions/${version}/restore`, headers);
  const copy = (id: string, json: unknown, headers = stage.owner) =>
    send('POST', `/api/v1/files/${id}/copy`, headers, json);

  test('200: creates the next version from earlier bytes, without using space', async () => {
    const name = newName();
    await stage.newFile(project, name, 'first');
    const { id } = await stage.newFile(project, name, 'second', 'ifTaken=version');
    const before = await usedBytes();
    expect((await restore(id, 1)).json()).toMatchObject({ version: 3, size: 5 });
    expect((await restore(id, 3)).json()).toMatchObject({ version: 3 });
    expect([(await stage.contentOf(id)).text, await usedBytes()]).toEqual(['first', before]);
  });

  test('201: copies to another place without new bytes, which outlive the first file', async () => {
    const { id, sha256 } = await stage.newFile(project, newName(), 'shared');
    const folder = await stage.newFolder(project, newName());
    const before = await usedBytes();
    const copied = await copy(id, { folderId: folder.id, name: 'copy' });
    expect([copied.status, copied.json()]).toMatchObject([
      201,
      { name: 'copy', folderId: folder.id, sha256 },
    ]);
    const beside = await copy(id, { ifTaken: 'rename' });
    expect(beside.json()['name']).toMatch(/ \(2\)$/);
    expect(await usedBytes()).toBe(before);
    await send('DELETE', `/api/v1/files/${id}`, stage.owner);
    await stage.database.asSuperuser(
      "UPDATE storage.entry SET trashed_at = trashed_at - interval '31 days' WHERE id = $1",
      [id],
    );
    await emptyTrash(stage.upkeep);
    await removeGarbage({ ...stage.upkeep, settings: { ...testStorage, graceDays: 0 } });
    expect((await stage.contentOf(copied.json()['id'])).text).toBe('shared');
    expect(await usedBytes()).toBe(before);
  });

  test('never condemns referenced bytes during a concurrent restore and removal of old versions', async () => {
    const later = { now: () => addMs(stage.clock.now(), 91 * 86_400_000), nowMs: stage.clock.nowMs };
    for (let turn = 0; turn < 10; turn += 1) {
      const name = newName();
      await stage.newFile(project, name, 'old');
      const { id } = await stage.newFile(project, name, 'new', 'ifTaken=version');
      await Promise.all([restore(id, 1), removeOldVersions({ ...stage.upkeep, clock: later })]);
    }
    await removeGarbage({ ...stage.upkeep, clock: later, settings: { ...testStorage, graceDays: 0 } });
    const findings = await verifyStorage(stage.upkeep);
    expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
    const lost = await stage.database.asSuperuser(
      'SELECT FROM storage.version JOIN storage.blob ON blob.key = blob_key WHERE condemned_at IS NOT NULL',
    );
    expect(lost).toEqual([]);
  });

  test('400: for an invalid name or number', async () => {
    const { id } = await stage.newFile(project, newName(), 'x');
    expectProblem(await copy(id, { name: 'a/b' }), 400, 'invalid_request');
    expectProblem(await restore(id, 'x'), 400, 'invalid_request');
  });

  test('403 with read permission only; 404 for non-members, and for unknown versions and folders', async () => {
    const { id } = await stage.newFile(project, newName(), 'x');
    expectProblem(await copy(id, {}, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await restore(id, 1, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await copy(id, {}, stage.stranger), 404, 'not_found');
    expectProblem(await restore(id, 1, stage.stranger), 404, 'not_found');
    expectProblem(await restore(id, 2), 404, 'not_found');
    expectProblem(await copy(id, { folderId: nowhere }), 404, 'not_found');
  });

  test('409: for a copy beside the file under the same name', async () => {
    const { id } = await stage.newFile(project, newName(), 'x');
    expectProblem(await copy(id, {}), 409, 'name_taken');
  });
});

test('GET /api/v1/usage: 404 for non-members', async () => {
  const path = `/api/v1/usage?organization=${stage.acme.key}`;
  expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
});

test('verify reports an object without a row, a row without its object, a wrong size and wrong usage', async () => {
  const { id } = await stage.newFile(project, newName(), 'kept');
  const key = await keyOf(id, 1);
  const stray = randomBytes(16).toString('hex');
  const store = async (under: string, text: string): Promise<void> => {
    const content = { body: Readable.from([Buffer.from(text)]), size: text.length };
    const { name } = await stage.bucket.stage(under, content, new AbortController().signal);
    await stage.bucket.publish(name);
  };
  const findings = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await verifyStorage(stage.upkeep)).map(({ name, offenders }) => [name, offenders.length]),
    );
  await store(stray, 'x');
  await stage.bucket.remove(key);
  await stage.database.asSuperuser('UPDATE storage.usage SET used_bytes = used_bytes + 1');
  expect(await findings()).toEqual({ stored: 1, named: 1, sizes: 0, staged: 0, usage: 1, counts: 0 });
  await store(key, 'longer');
  expect(await findings()).toMatchObject({ stored: 0, sizes: 1 });
  await stage.bucket.remove(stray);
  await stage.bucket.remove(key);
  await store(key, 'kept');
  await stage.database.asSuperuser('UPDATE storage.usage SET used_bytes = used_bytes - 1');
  expect(await findings()).toEqual({ stored: 0, named: 0, sizes: 0, staged: 0, usage: 0, counts: 0 });
});
