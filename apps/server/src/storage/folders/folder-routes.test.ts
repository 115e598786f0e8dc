import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import { testStorage } from '../../../test/identity.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { emptyTrash, removeGarbage } from '../trash/empty-trash.ts';
import { listChildren } from './read-entries.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const childrenOf = async (folder?: string, headers = stage.owner, in_ = project): Promise<string[]> => {
  const path = `/api/v1/projects/${in_}/children?limit=100${folder === undefined ? '' : `&folderId=${folder}`}`;
  const answer = await send('GET', path, headers);
  return (answer.json()['data'] as { name: string }[]).map(({ name }) => name);
};
const kinds = ['folder', 'file'] as const;
let made = 0;
const newEntry = (kind: (typeof kinds)[number], name = `e${(made += 1)}`, parent?: string) =>
  kind === 'folder'
    ? stage.newFolder(project, name, parent)
    : stage.newFile(project, name, 'x', parent === undefined ? '' : `folderId=${parent}`);

describe('POST /api/v1/projects/{project}/folders', () => {
  const create = (json: unknown, headers = stage.owner, id = project) =>
    send('POST', `/api/v1/projects/${id}/folders`, headers, json);

  test('201: creates a folder in the project, and in a folder', async () => {
    const outer = await stage.newFolder(project, 'outer');
    expect(await create({ name: 'inner', folderId: outer.id })).toMatchObject({ status: 201 });
    expect(await childrenOf(outer.id)).toEqual(['inner']);
  });

  test.each(['', '.', '..', 'a/b', 'a\u202Eb', 'é'.repeat(128), ' a'])('400: %j is no name', async (name) => {
    expectProblem(await create({ name }), 400, 'invalid_request');
  });

  test('403 with read permission only, until a policy on a parent folder covers it', async () => {
    const [outer, beside] = [await stage.newFolder(project, 'given'), await stage.newFolder(project, 'kept')];
    const inner = await stage.newFolder(project, 'deep', outer.id);
    const { headers, username } = await stage.acme.addMember('viewer');
    const inOuter = { name: 'by policy', folderId: inner.id };
    expectProblem(await create(inOuter, headers), 403, 'forbidden');
    const path = `/organizations/${stage.acme.key}/projects/${project}/folders/${outer.id}/**`;
    const platform = { platform_key: stage.acme.key };
    const policy = await send('POST', '/dm/api/core/rbac/policies/', stage.owner, {
      ...platform,
      name: 'a folder',
      actions: ['Daybook.Storage/*/*'],
      resources: [path],
    });
    const group = {
      ...platform,
      name: 'g',
      policies_to_add: [policy.json()['id']],
      users_to_add: [username],
    };
    const grouped = await send('POST', '/dm/api/core/rbac/groups/', stage.owner, group);
    expect([grouped.status, grouped.text]).toEqual([201, expect.any(String)]);
    stage.age();
    expect((await create(inOuter, headers)).status).toBe(201);
    expectProblem(await create({ name: 'x', folderId: beside.id }, headers), 403, 'forbidden');
    const move = { folderId: beside.id };
    expectProblem(await send('PATCH', `/api/v1/folders/${inner.id}`, headers, move), 403, 'forbidden');
  });

  test('404: for non-members; for a folder that is missing, of another project, or in the trash', async () => {
    expectProblem(await create({ name: 'x' }, stage.stranger), 404, 'not_found');
    const elsewhere = await stage.newFolder((await stage.newProject()).id, 'elsewhere');
    const gone = await stage.newFolder(project, 'gone');
    const below = await stage.newFolder(project, 'below', gone.id);
    await send('DELETE', `/api/v1/folders/${gone.id}`, stage.owner);
    for (const parentId of [nowhere, 'x', elsewhere.id, gone.id, below.id])
      expectProblem(await create({ name: 'x', folderId: parentId }), 404, 'not_found');
  });

  test('409: for a sibling of that name, folder or file; for more than 64 levels', async () => {
    await newEntry('file', 'Notes');
    expectProblem(await create({ name: 'NOTES' }), 409, 'name_taken');
    let parentId = (await stage.newFolder(project, 'level 1')).id;
    for (let level = 2; level <= 64; level += 1)
      parentId = (await stage.newFolder(project, `level ${level}`, parentId)).id;
    expectProblem(await create({ name: 'level 65', folderId: parentId }), 409, 'conflict');
    const tall = await stage.newFolder(project, 'tall');
    const move = { folderId: parentId };
    expectProblem(await send('PATCH', `/api/v1/folders/${tall.id}`, stage.owner, move), 409, 'conflict');
  });

  test('gives a name to one of many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => create({ name: turn % 2 === 0 ? 'Race' : 'rAcE' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });
});

describe('GET …/children', () => {
  test('200: paginates forward and backward in one order', async () => {
    const { id } = await stage.newProject();
    for (const name of ['a', 'b', 'c']) await stage.newFolder(id, name);
    expect(await childrenOf(undefined, stage.viewer.headers, id)).toEqual(['c', 'b', 'a']);
    const first = await send('GET', `/api/v1/projects/${id}/children?limit=2`, stage.owner);
    const { nextCursor } = first.json()['pagination'] as { nextCursor: string };
    const next = await send('GET', `/api/v1/projects/${id}/children?cursor=${nextCursor}`, stage.owner);
    expect(next.json()['data']).toMatchObject([{ name: 'a' }]);
    const other = `/api/v1/projects/${project}/children?cursor=${nextCursor}`;
    expectProblem(await send('GET', other, stage.owner), 400, 'invalid_cursor');
  });

  test('lists exactly the entries that policies name, in full pages', async () => {
    const { id } = await stage.newProject();
    const shown = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const folder = await stage.newFolder(id, `f${turn}`);
      if (turn % 2 === 0) shown.unshift(folder.id);
    }
    const own = `/organizations/${stage.acme.key}/projects/${id}`;
    const { deps, asked } = stage.actingUnder([own, ...shown.map((one) => `${own}/folders/${one}`)]);
    const page = await listChildren(
      deps,
      { ...asked, projectId: id, folderId: null, page: { limit: 3 } },
      (entry) => entry.id,
    );
    expect([page.data, page.pagination.hasMore]).toEqual([shown, false]);
  });

  test('404: for non-members, and for a folder of another project', async () => {
    const path = `/api/v1/projects/${project}/children`;
    expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
    expectProblem(await send('GET', `${path}?folderId=${nowhere}`, stage.owner), 404, 'not_found');
  });
});

describe.each(kinds)('/api/v1/%ss/{id}', (kind) => {
  const at = (id: string, rest = ''): string => `/api/v1/${kind}s/${id}${rest}`;

  test('200: reads, renames, and moves an entry with its descendants', async () => {
    const [from, to] = [await newEntry('folder'), await newEntry('folder')];
    const { id } = await newEntry(kind, 'moved', from.id);
    expect((await send('GET', at(id), stage.viewer.headers)).json()).toMatchObject({
      id,
      kind,
      name: 'moved',
    });
    const answer = await send('PATCH', at(id), stage.owner, { name: 'New', folderId: to.id });
    expect(answer.json()).toMatchObject({ name: 'New', folderId: to.id });
    expect([await childrenOf(from.id), await childrenOf(to.id)]).toEqual([[], ['New']]);
    const up = await send('PATCH', at(id), stage.owner, { folderId: null, name: `up${id}` });
    expect(up.json()['folderId']).toBe(null);
  });

  test('204 deletes; the trash lists it; 200 restores it', async () => {
    const parent = await newEntry('folder');
    const { id } = await newEntry(kind, 'lost', parent.id);
    expect((await send('DELETE', at(id), stage.owner)).status).toBe(204);
    expectProblem(await send('GET', at(id), stage.owner), 404, 'not_found');
    const trash = await send('GET', `/api/v1/projects/${project}/trash`, stage.owner);
    expect((trash.json()['data'] as unknown[])[0]).toMatchObject({ id, deletedAt: expect.any(String) });
    expect(await send('POST', at(id, '/restore'), stage.owner, {})).toMatchObject({ status: 200 });
    expect(await childrenOf(parent.id)).toEqual(['lost']);
  });

  test('409 if the name is taken, unless another is given; 409 if its folder is in the trash', async () => {
    const parent = await newEntry('folder');
    const { id } = await newEntry(kind, 'same.txt', parent.id);
    const other = await newEntry(kind, 'other.txt', parent.id);
    const rename = await send('PATCH', at(other.id), stage.owner, { name: 'Same.TXT' });
    expectProblem(rename, 409, 'name_taken');
    await send('DELETE', at(id), stage.owner);
    await newEntry(kind, 'SAME.txt', parent.id);
    expectProblem(await send('POST', at(id, '/restore'), stage.owner, {}), 409, 'name_taken');
    const numbered = await send('POST', at(id, '/restore'), stage.owner, { ifTaken: 'rename' });
    expect(numbered.json()['name']).toBe('same (2).txt');
    await send('DELETE', at(id), stage.owner);
    await send('DELETE', `/api/v1/folders/${parent.id}`, stage.owner);
    expectProblem(await send('POST', at(id, '/restore'), stage.owner, {}), 409, 'conflict');
  });

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', {}],
  ])('%s %s: 404 for non-members and unknown ids', async (method, rest, json) => {
    const { id } = await newEntry(kind);
    expectProblem(await send(method, at(id, rest), stage.stranger, json), 404, 'not_found');
    expectProblem(await send(method, at(nowhere, rest), stage.owner, json), 404, 'not_found');
  });

  test.each([
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', {}],
  ])('%s %s: 403 with read permission only', async (method, rest, json) => {
    const { id } = await newEntry(kind);
    expectProblem(await send(method, at(id, rest), stage.viewer.headers, json), 403, 'forbidden');
  });

  test('400: for a change without effect, or to an invalid name', async () => {
    const { id } = await newEntry(kind);
    expectProblem(await send('PATCH', at(id), stage.owner, {}), 400, 'invalid_request');
    expectProblem(await send('PATCH', at(id), stage.owner, { name: '..' }), 400, 'invalid_request');
  });
});

test('reads the names of the folder parameter of 0.1.0 as well', async () => {
  const outer = await stage.newFolder(project, 'earlier outer');
  const body = { name: 'earlier', parentId: outer.id };
  const created = await send('POST', `/api/v1/projects/${project}/folders`, stage.owner, body);
  expect(created.json()).toMatchObject({ folderId: outer.id, parentId: outer.id });
  const listed = await send('GET', `/api/v1/projects/${project}/children?folder=${outer.id}`, stage.owner);
  expect(listed.json()['data']).toEqual([expect.objectContaining({ name: 'earlier' })]);
  const path = `/api/v1/folders/${String(created.json()['id'])}`;
  const moved = await send('PATCH', path, stage.owner, { parentId: null });
  expect(moved.json()).toMatchObject({ folderId: null, parentId: null });
});

test('409: refuses to move a folder into itself, and opposing moves that would form a cycle', async () => {
  const [a, b] = [await newEntry('folder', 'A'), await newEntry('folder', 'B')];
  const move = (id: string, folderId: string) =>
    send('PATCH', `/api/v1/folders/${id}`, stage.owner, { folderId });
  expectProblem(await move(a.id, a.id), 409, 'conflict');
  const moved = await Promise.all([move(a.id, b.id), move(b.id, a.id)]);
  expect(new Set(moved.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

test('the trash: 403 with read permission only, 404 for non-members, 400 for a cursor of another list', async () => {
  const path = `/api/v1/projects/${project}/trash`;
  expectProblem(await send('GET', path, stage.viewer.headers), 403, 'forbidden');
  expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
  expectProblem(await send('GET', `${path}?cursor=x`, stage.owner), 400, 'invalid_cursor');
});

test('empties a project after 30 days in the trash, and deletes it when its bytes are removed', async () => {
  const { id } = await stage.newProject();
  const folder = await stage.newFolder(id, 'inside');
  await stage.newFile(id, 'in the project', '12345');
  await stage.newFile(id, 'in the folder', '12345', `folderId=${folder.id}`);
  await send('DELETE', `/api/v1/projects/${id}`, stage.owner);
  await stage.database.asSuperuser(
    "UPDATE storage.project SET trashed_at = trashed_at - interval '30 days' WHERE id = $1",
    [id],
  );
  const deps = {
    ...stage.access,
    bucket: stage.bucket,
    settings: { ...testStorage, quotaBytes: 0, graceDays: 0 },
  };
  const rowsOf = async (table: string, column: string): Promise<unknown> =>
    (
      await stage.database.asSuperuser(`SELECT count(*)::int AS rows FROM ${table} WHERE ${column} = $1`, [
        id,
      ])
    )[0]?.['rows'];
  await emptyTrash(deps);
  expect([await rowsOf('storage.entry', 'project_id'), await rowsOf('storage.blob', 'project_id')]).toEqual([
    0, 2,
  ]);
  await removeGarbage(deps);
  await emptyTrash(deps);
  expect(await rowsOf('storage.project', 'id')).toBe(0);
});

test('empties the trash after 30 days from the inside out, and releases space when bytes are condemned', async () => {
  const usedBytes = async () =>
    (await send('GET', '/api/v1/usage', stage.owner)).json()['usedBytes'] as number;
  const before = await usedBytes();
  const outer = await newEntry('folder', 'to be purged');
  const inner = await newEntry('folder', 'inner', outer.id);
  for (const folder of [outer.id, inner.id])
    await stage.newFile(project, 'file', '12345', `folderId=${folder}`);
  expect(await usedBytes()).toBe(before + 10);
  await send('DELETE', `/api/v1/folders/${outer.id}`, stage.owner);
  const deps = { ...stage.access, bucket: stage.bucket, settings: { ...testStorage, quotaBytes: 0 } };
  await emptyTrash(deps);
  expect(await usedBytes()).toBe(before + 10);
  await stage.database.asSuperuser(
    "UPDATE storage.entry SET trashed_at = trashed_at - interval '30 days' WHERE id = $1",
    [outer.id],
  );
  expectProblem(await send('POST', `/api/v1/folders/${outer.id}/restore`, stage.owner, {}), 404, 'not_found');
  await emptyTrash(deps);
  expect(await usedBytes()).toBe(before);
  const left = await stage.database.asSuperuser(
    'SELECT count(*)::int AS rows FROM storage.entry WHERE id = ANY ($1)',
    [[outer.id, inner.id]],
  );
  expect(left).toEqual([{ rows: 0 }]);
});
