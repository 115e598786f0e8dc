import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import type { Bucket } from '../bucket/bucket.ts';
import { readArchive } from './read-archive.ts';

let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const get = (path: string, headers = stage.owner) => stage.send('GET', path, headers);

/** The stored files of an archive, read from its central directory. */
function unpacked(zip: Buffer): Readonly<Record<string, string>> {
  const end = zip.subarray(-22);
  const files: Record<string, string> = {};
  let at = end.readUInt32LE(16);
  for (let left = end.readUInt16LE(10); left > 0; left -= 1) {
    const header = zip.subarray(at);
    const [size, nameBytes, extraBytes] = [
      header.readUInt32LE(24),
      header.readUInt16LE(28),
      header.readUInt16LE(30),
    ];
    const local = header.readUInt32LE(42);
    const from = local + 30 + nameBytes;
    files[header.toString('utf8', 46, 46 + nameBytes)] = zip.toString('utf8', from, from + size);
    at += 46 + nameBytes + extraBytes;
  }
  return files;
}

async function newTree() {
  const { id } = await stage.newProject('Tree');
  const outer = await stage.newFolder(id, 'Outer');
  const inner = await stage.newFolder(id, 'inner', outer.id);
  await stage.newFolder(id, 'empty', outer.id);
  const gone = await stage.newFolder(id, 'gone', outer.id);
  await stage.newFile(id, 'in the project', 'p');
  await stage.newFile(id, 'CON', 'o', `folderId=${outer.id}`);
  const deep = await stage.newFile(id, 'ü.txt', 'deep', `folderId=${inner.id}`);
  await stage.newFile(id, 'zero', '', `folderId=${inner.id}`);
  await stage.newFile(id, 'lost', 'lost', `folderId=${gone.id}`);
  await stage.send('DELETE', `/api/v1/folders/${gone.id}`, stage.owner);
  return { id, outer, inner, deep };
}
let tree: Awaited<ReturnType<typeof newTree>>;
beforeAll(async () => {
  tree = await newTree();
});

describe('GET /api/v1/folders/{id}/archive and /api/v1/projects/{project}/archive', () => {
  test('200: contains everything below, without the trash, under names that are valid on every system', async () => {
    const answer = await get(`/api/v1/folders/${tree.outer.id}/archive`, stage.viewer.headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.body.length),
      'content-disposition': `attachment; filename="Outer.zip"; filename*=UTF-8''Outer.zip`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const below = {
      'Outer/_CON': 'o',
      'Outer/empty/': '',
      'Outer/inner/': '',
      'Outer/inner/zero': '',
      'Outer/inner/ü.txt': 'deep',
    };
    expect(unpacked(answer.body)).toEqual(below);
    const whole = await get(`/api/v1/projects/${tree.id}/archive`);
    const inProject = Object.entries(below).map(([path, text]) => [`Tree/${path}`, text]);
    expect(unpacked(whole.body)).toEqual({
      'Tree/Outer/': '',
      'Tree/in the project': 'p',
      ...Object.fromEntries(inProject),
    });
  });

  test('HEAD returns the size and reads no content', async () => {
    const head = await stage.send('HEAD', `/api/v1/folders/${tree.outer.id}/archive`, stage.owner);
    const whole = await get(`/api/v1/folders/${tree.outer.id}/archive`);
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(whole.body.length),
      0,
    ]);
  });

  test('404: for non-members, files, and missing or trashed entries', async () => {
    const gone = await stage.newFolder(tree.id, 'soon gone');
    await stage.send('DELETE', `/api/v1/folders/${gone.id}`, stage.owner);
    for (const id of [nowhere, 'x', tree.deep.id, gone.id])
      expectProblem(await get(`/api/v1/folders/${id}/archive`), 404, 'not_found');
    for (const path of [`folders/${tree.outer.id}`, `projects/${tree.id}`])
      expectProblem(await get(`/api/v1/${path}/archive`, stage.stranger), 404, 'not_found');
    expectProblem(await get(`/api/v1/projects/${nowhere}/archive`), 404, 'not_found');
  });

  test('409: for more than 10,000 entries, without reading any', async () => {
    const { id } = await stage.newProject();
    await stage.database.asSuperuser(
      `INSERT INTO storage.entry (project_id, id, kind, name, folded_name, created_by, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'folder', n, n, created_by, now(), now()
       FROM storage.project, (SELECT i::text AS n FROM generate_series(0, 10000) AS i) AS names
       WHERE project.id = $1`,
      [id],
    );
    expectProblem(await get(`/api/v1/projects/${id}/archive`), 409, 'archive_too_large');
    await stage.database.asSuperuser("DELETE FROM storage.entry WHERE project_id = $1 AND name = '0'", [id]);
    const whole = await get(`/api/v1/projects/${id}/archive`);
    expect([whole.status, whole.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  });
});

test('archives exactly the readable entries, and nothing below an unreadable folder', async () => {
  const own = `/organizations/${stage.acme.key}/projects/${tree.id}`;
  const archive = async (resources: readonly string[]) => {
    const { deps, asked } = stage.actingUnder([own, ...resources.map((rest) => `${own}${rest}`)]);
    const { open } = await readArchive(deps, { ...asked, place: { projectId: tree.id } });
    const chunks = await Array.fromAsync(open(new AbortController().signal));
    return Object.keys(unpacked(Buffer.concat(chunks)));
  };
  expect(await archive([])).toEqual([]);
  expect(await archive([`/files/${tree.deep.id}`])).toEqual([]);
  const walk = [`/folders/${tree.outer.id}`, `/folders/${tree.inner.id}`];
  expect(await archive([...walk, `/files/${tree.deep.id}`])).toEqual([
    'Tree/Outer/',
    'Tree/Outer/inner/',
    'Tree/Outer/inner/ü.txt',
  ]);
  expect(await archive([...walk, `/folders/${tree.inner.id}/files/*`])).toEqual([
    'Tree/Outer/',
    'Tree/Outer/inner/',
    'Tree/Outer/inner/zero',
    'Tree/Outer/inner/ü.txt',
  ]);
});

test('stops reading from the bucket and closes open streams when the client disconnects', async () => {
  const opened: Readable[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<Readable>();
  const endless: Bucket = {
    ...stage.bucket,
    open: async (_key, _range, signal) => {
      const stream = new Readable({
        signal,
        read() {
          this.push(Buffer.alloc(65_536));
        },
      });
      opened.push(stream);
      begin(stream);
      return stream;
    },
  };
  const other = await startTestStorage({ bucket: endless });
  try {
    const { id } = await other.newProject();
    for (const name of ['a', 'b', 'c']) await other.newFile(id, name, 'x');
    await other.database.asSuperuser('UPDATE storage.blob SET size = 1000000000');
    const path = `/api/v1/projects/${id}/archive`;
    const client = httpRequest({ host: '127.0.0.1', port: other.app.port, path, headers: other.owner });
    client.on('error', () => {});
    client.end();
    const [answer] = (await once(client, 'response')) as [Readable];
    answer.on('error', () => {});
    await once(answer, 'readable');
    const stream = await begun;
    const closed = once(stream, 'close').catch(() => {});
    client.destroy();
    await closed;
    expect([opened.length, stream.destroyed]).toEqual([1, true]);
  } finally {
    await other.stop();
  }
});
