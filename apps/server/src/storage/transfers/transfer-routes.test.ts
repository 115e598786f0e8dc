import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { dayMs } from '../../foundation/clock.ts';
import { addMs } from '../../foundation/instant.ts';
import { setQuota } from '../files/quota-store.ts';
import { emptyTrash, removeGarbage } from '../trash/empty-trash.ts';
import { verifyStorage } from '../verify-storage.ts';

let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const copy = (kind: 'file' | 'folder', id: string, json: object, headers = stage.owner) =>
  send('POST', `/api/v1/${kind}s/${id}/copy`, headers, json);
const move = (kind: 'file' | 'folder', id: string, json: object, headers = stage.owner) =>
  send('POST', `/api/v1/${kind}s/${id}/move`, headers, json);
const childrenOf = async (project: string, folder?: string): Promise<readonly string[]> => {
  const query = folder === undefined ? '' : `&folderId=${folder}`;
  const page = await send('GET', `/api/v1/projects/${project}/children?sort=name${query}`, stage.owner);
  return (page.json()['data'] as { name: string }[]).map(({ name }) => name);
};
const usage = async (): Promise<unknown> => (await send('GET', '/api/v1/usage', stage.owner)).json();
const bytesOf = async (project: string): Promise<number> => {
  const query = 'SELECT bytes FROM storage.project_usage WHERE project_id = $1';
  const [row] = await stage.database.asSuperuser(query, [project]);
  return Number(row?.['bytes'] ?? 0);
};
const later = (days: number) => ({
  ...stage.upkeep,
  clock: { now: () => addMs(stage.clock.now(), days * dayMs), nowMs: stage.clock.nowMs },
});

/** Two projects; the first contains a folder with a file, an inner folder with a file of two versions, and trash. */
async function tree() {
  const [from, to] = [(await stage.newProject()).id, (await stage.newProject()).id];
  const outer = await stage.newFolder(from, 'outer');
  const inner = await stage.newFolder(from, 'inner', outer.id);
  const first = await stage.newFile(from, 'first.txt', 'first file', `folderId=${outer.id}`);
  await stage.newFile(from, 'second.txt', 'older', `folderId=${inner.id}`);
  const second = await stage.newFile(
    from,
    'second.txt',
    'second file',
    `folderId=${inner.id}&ifTaken=version`,
  );
  const gone = await stage.newFile(from, 'gone.txt', 'deleted', `folderId=${inner.id}`);
  await send('DELETE', `/api/v1/files/${gone.id}`, stage.owner);
  return { from, to, outer, inner, first, second, gone };
}

async function groupWith(username: string, actions: readonly string[], resources: readonly string[]) {
  const platform = { platform_key: stage.acme.key };
  const policy = { ...platform, name: `policy ${username}`, actions, resources };
  const made = await send('POST', '/dm/api/core/rbac/policies/', stage.owner, policy);
  expect(made.status).toBe(201);
  const group = { ...platform, name: `group ${username}`, policies_to_add: [made.json()['id']] };
  const json = { ...group, users_to_add: [username] };
  expect((await send('POST', '/dm/api/core/rbac/groups/', stage.owner, json)).status).toBe(201);
  stage.age();
}

const inProject = (project: string, rest = '/**'): string =>
  `/organizations/${stage.acme.key}/projects/${project}${rest}`;

describe('POST /api/v1/folders/{id}/copy', () => {
  test('201: copies the folder with its current contents, in the same project without additional storage', async () => {
    const { from, outer } = await tree();
    const before = await usage();
    const answer = await copy('folder', outer.id, { name: 'copied' });
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'copied', folderId: null, copied: 4, omitted: 0 }),
    ]);
    const copied = String(answer.json()['id']);
    expect(await childrenOf(from, copied)).toEqual(['first.txt', 'inner']);
    expect(await usage()).toEqual(before);
    const zip = await send('GET', `/api/v1/folders/${copied}/archive`, stage.owner);
    expect(zip.text).toContain('copied/inner/second.txt');
    expect(zip.text).toContain('second file');
    expect(zip.text).not.toContain('older');
  });

  test('201: copies it into itself once', async () => {
    const { from, outer, inner } = await tree();
    const answer = await copy('folder', outer.id, { folderId: inner.id });
    expect(answer.status).toBe(201);
    expect(await childrenOf(from, inner.id)).toEqual(['outer', 'second.txt']);
  });

  test('201: to another project, where the bytes count once and are not stored again', async () => {
    const { to, outer, first } = await tree();
    const objects = async (): Promise<number> => (await Array.fromAsync(stage.bucket.objects())).length;
    const before = await objects();
    const answer = await copy('folder', outer.id, { projectId: to });
    expect(answer.json()).toMatchObject({ projectId: to, folderId: null, name: 'outer' });
    expect(await bytesOf(to)).toBe('first filesecond file'.length);
    expect((await copy('file', first.id, { projectId: to })).status).toBe(201);
    expect((await copy('file', first.id, { projectId: to })).status).toBe(409);
    expect((await copy('file', first.id, { projectId: to, ifTaken: 'rename' })).json()['name']).toBe(
      'first (2).txt',
    );
    expect([await bytesOf(to), await objects()]).toEqual(['first filesecond file'.length, before]);
  });

  test('201: omits files that the scanner withholds, and counts them', async () => {
    const { outer, second } = await tree();
    await stage.database.asSuperuser(
      `UPDATE storage.blob SET scan_state = 'infected' FROM storage.version
       WHERE version.blob_key = blob.key AND file_id = $1`,
      [second.id],
    );
    const answer = await copy('folder', outer.id, { name: 'without' });
    expect(answer.json()).toMatchObject({ copied: 3, omitted: 1 });
  });

  test('201: omits what the caller cannot read, 403 without permission to create files at the target', async () => {
    const { from, to, outer, inner } = await tree();
    const { headers, username } = await stage.acme.addMember('guest');
    await groupWith(
      username,
      ['Daybook.Storage/*/read', 'Daybook.Storage/Folders/create'],
      [
        inProject(from, `/folders/${outer.id}`),
        inProject(from, `/folders/${outer.id}/files/*`),
        inProject(to, ''),
      ],
    );
    expectProblem(await copy('folder', outer.id, { projectId: to }, headers), 403, 'forbidden');
    await groupWith(
      (await stage.acme.addMember('guest')).username,
      ['Daybook.Storage/*/read'],
      [inProject(to)],
    );
    const other = await stage.acme.addMember('guest');
    await groupWith(
      other.username,
      ['Daybook.Storage/*/*'],
      [
        inProject(from, `/folders/${outer.id}`),
        inProject(from, `/folders/${outer.id}/files/*`),
        inProject(to),
      ],
    );
    const answer = await copy('folder', outer.id, { projectId: to }, other.headers);
    expect(answer.json()).toMatchObject({ copied: 2, omitted: 0 });
    expect(await childrenOf(to, String(answer.json()['id']))).toEqual(['first.txt']);
    expectProblem(await copy('folder', inner.id, { projectId: to }, other.headers), 404, 'not_found');
  });

  test('404 for non-members and unknown targets; projects of other organizations are refused', async () => {
    const { outer } = await tree();
    expectProblem(await copy('folder', outer.id, {}, stage.stranger), 404, 'not_found');
    expectProblem(await copy('folder', outer.id, { projectId: nowhere }), 404, 'not_found');
    const foreign = await send('POST', '/api/v1/projects', stage.stranger, { name: 'Foreign' });
    const answer = await copy('folder', outer.id, { projectId: String(foreign.json()['id']) });
    expectProblem(answer, 404, 'not_found');
  });

  test('409: for the quota of the target, and nothing is copied', async () => {
    const { to, outer } = await tree();
    await setQuota(stage.access.database, { organization: stage.acme.key, project: to }, 20);
    expectProblem(await copy('folder', outer.id, { projectId: to }), 409, 'quota_exceeded');
    expect([await childrenOf(to), await bytesOf(to)]).toEqual([[], 0]);
    await setQuota(stage.access.database, { organization: stage.acme.key, project: to }, 21);
    expect((await copy('folder', outer.id, { projectId: to })).status).toBe(201);
  });

  test('409: for more than 10,000 entries, and for more than 64 levels', async () => {
    const { from, outer } = await tree();
    await stage.database.asSuperuser(
      `INSERT INTO storage.entry (project_id, id, parent_id, kind, name, folded_name, created_by, created_at, updated_at)
       SELECT project_id, gen_random_uuid(), id, 'folder', 'f' || n, 'f' || n, created_by, created_at, updated_at
       FROM storage.entry, generate_series(1, 10000) AS n WHERE id = $1`,
      [outer.id],
    );
    expectProblem(await copy('folder', outer.id, { name: 'x' }), 409, 'too_many_entries');
    const other = (await stage.newProject()).id;
    expectProblem(await move('folder', outer.id, { projectId: other }), 409, 'too_many_entries');
    let deep = (await stage.newFolder(from, 'level 1')).id;
    for (let level = 2; level <= 64; level += 1)
      deep = (await stage.newFolder(from, `level ${level}`, deep)).id;
    const small = await stage.newFolder(from, 'small');
    expectProblem(await copy('folder', small.id, { folderId: deep }), 409, 'conflict');
  });
});

describe('POST /api/v1/folders/{id}/move', () => {
  test('200: within a project it changes the folder, as PATCH does', async () => {
    const { outer, inner, from } = await tree();
    expect((await move('folder', inner.id, { folderId: null, name: 'up' })).json()).toMatchObject({
      folderId: null,
      name: 'up',
    });
    expect(await childrenOf(from)).toEqual(['outer', 'up']);
    expectProblem(await move('folder', outer.id, { folderId: outer.id }), 409, 'conflict');
  });

  test('403 within a project if the caller could then read earlier versions or contents that are withheld', async () => {
    const { from, outer, inner, second } = await tree();
    const target = await stage.newFolder(from, 'target');
    const guest = await stage.acme.addMember('guest');
    const share = { member: guest.username, level: 'write' };
    const open = async (id: string, more: object): Promise<void> => {
      const answer = await send('POST', `/api/v1/folders/${id}/shares`, stage.owner, { ...share, ...more });
      expect(answer.status).toBe(201);
    };
    await open(outer.id, {});
    await open(target.id, { history: true });
    stage.age();
    const earlier = () => stage.contentOf(second.id, guest.headers, '?version=1');
    for (const [kind, id] of [
      ['file', second.id],
      ['folder', inner.id],
    ] as const) {
      expectProblem(await move(kind, id, { folderId: target.id }, guest.headers), 403, 'forbidden');
      const path = `/api/v1/${kind}s/${id}`;
      expectProblem(await send('PATCH', path, guest.headers, { folderId: target.id }), 403, 'forbidden');
    }
    expectProblem(await earlier(), 403, 'forbidden');
    // In the same folder, or without earlier versions, nothing is gained.
    expect((await move('file', second.id, { folderId: outer.id }, guest.headers)).status).toBe(200);
    const only = await stage.newFile(from, 'only.txt', 'one version', `folderId=${outer.id}`);
    expect((await move('file', only.id, { folderId: target.id }, guest.headers)).status).toBe(200);
  });

  test('a share that a move to another project ended is not effective after the move back', async () => {
    const { from, to, outer } = await tree();
    const guest = await stage.acme.addMember('guest');
    const share = { member: guest.username, level: 'read' };
    expect((await send('POST', `/api/v1/folders/${outer.id}/shares`, stage.owner, share)).status).toBe(201);
    const read = async () => (await send('GET', `/api/v1/folders/${outer.id}`, guest.headers)).status;
    expect(await read()).toBe(200);
    expect((await move('folder', outer.id, { projectId: to })).status).toBe(200);
    expect((await move('folder', outer.id, { projectId: from })).status).toBe(200);
    stage.age();
    expect(await read()).toBe(404);
  });

  test('200: to another project with ids and versions; its trash stays, shares and links end', async () => {
    const { from, to, outer, inner, first, second, gone } = await tree();
    const guest = await stage.acme.addMember('guest');
    const share = { member: guest.username, level: 'read' };
    expect((await send('POST', `/api/v1/folders/${inner.id}/shares`, stage.owner, share)).status).toBe(201);
    const link = await send('POST', `/api/v1/files/${first.id}/links`, stage.owner, {});
    const before = await usage();
    const answer = await move('folder', outer.id, { projectId: to });
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: outer.id, projectId: to, folderId: null }),
    ]);
    expect([await childrenOf(from), await childrenOf(to, inner.id)]).toEqual([[], ['second.txt']]);
    expect((await stage.contentOf(second.id, stage.owner, '?version=1')).text).toBe('older');
    expect([await bytesOf(from), await bytesOf(to)]).toEqual([7, 26]);
    expect(await usage()).toEqual(before);
    stage.age();
    expectProblem(await send('GET', `/api/v1/folders/${inner.id}`, guest.headers), 404, 'not_found');
    expect((await ask(stage.app.port, new URL(String(link.json()['url'])).pathname)).status).toBe(404);
    const trashed = await send('GET', `/api/v1/projects/${from}/trash`, stage.owner);
    expect(trashed.json()['data']).toEqual([expect.objectContaining({ id: gone.id, folderId: null })]);
    expect((await send('POST', `/api/v1/files/${gone.id}/restore`, stage.owner, {})).status).toBe(200);
  });

  test('removes the bytes only when no project uses them', async () => {
    const { to, first } = await tree();
    const copied = String((await copy('file', first.id, { projectId: to })).json()['id']);
    const purge = async (id: string): Promise<void> => {
      await send('DELETE', `/api/v1/files/${id}`, stage.owner);
      expect((await send('POST', `/api/v1/files/${id}/purge`, stage.owner)).status).toBe(204);
    };
    await purge(first.id);
    for (const days of [31, 62]) await removeGarbage(later(days));
    expect((await stage.contentOf(copied)).text).toBe('first file');
    const [row] = await stage.database.asSuperuser(
      'SELECT blob_key FROM storage.version WHERE file_id = $1',
      [copied],
    );
    await purge(copied);
    await removeGarbage(later(31));
    expect(await stage.bucket.sizeOf(String(row?.['blob_key']))).toBe(null);
  });

  test('returns content to a project that has condemned it, with the present scan state', async () => {
    const { from, to, first } = await tree();
    expect((await move('file', first.id, { projectId: to })).status).toBe(200);
    await stage.database.asSuperuser(
      "UPDATE storage.blob SET scan_state = 'waiting', inspection_due_at = now() WHERE project_id = $1",
      [to],
    );
    expect((await move('file', first.id, { projectId: from })).json()).toMatchObject({
      scanState: 'waiting',
      projectId: from,
    });
    await removeGarbage(later(31));
    expect((await stage.contentOf(first.id)).text).toBe('first file');
  });

  test('403 with update only, without reading everything, and without earlier versions', async () => {
    const { from, to, outer, inner, second } = await tree();
    const target = inProject(to);
    const [itself, below] = [
      inProject(from, `/folders/${outer.id}`),
      inProject(from, `/folders/${outer.id}/**`),
    ];
    const updating = await stage.acme.addMember('guest');
    const all = ['Daybook.Storage/*/read', 'Daybook.Storage/*/create', 'Daybook.Storage/*/update'];
    await groupWith(updating.username, all, [itself, below, target]);
    const partly = await stage.acme.addMember('guest');
    const most = [...all, 'Daybook.Storage/*/delete'];
    await groupWith(partly.username, most, [itself, inProject(from, `/folders/${outer.id}/files/*`), target]);
    const recent = await stage.acme.addMember('guest');
    const current = ['Projects/read', 'Folders/*', 'Files/*'].map((one) => `Daybook.Storage/${one}`);
    await groupWith(recent.username, current, [itself, below, target]);
    for (const { headers } of [updating, partly, recent])
      expectProblem(await move('folder', outer.id, { projectId: to }, headers), 403, 'forbidden');
    expectProblem(await move('file', second.id, { projectId: to }, recent.headers), 403, 'forbidden');
    expect((await move('folder', inner.id, { projectId: to })).status).toBe(200);
    expect((await move('folder', outer.id, { projectId: to }, recent.headers)).status).toBe(200);
  });

  test('409 for a taken name and for the quota of the target, 412 for changed content; nothing moves', async () => {
    const { from, to, outer, first } = await tree();
    await stage.newFolder(to, 'OUTER');
    expectProblem(await move('folder', outer.id, { projectId: to }), 409, 'name_taken');
    expect(await childrenOf(from)).toEqual(['outer']);
    const renamed = await move('folder', outer.id, { projectId: to, ifTaken: 'rename' });
    expect(renamed.json()['name']).toBe('outer (2)');
    const full = (await stage.newProject()).id;
    await setQuota(stage.access.database, { organization: stage.acme.key, project: full }, 9);
    expectProblem(await move('file', first.id, { projectId: full }), 409, 'quota_exceeded');
    const headers = { ...stage.owner, 'if-match': '"other"' };
    expectProblem(await move('file', first.id, { projectId: from }, headers), 412, 'precondition_failed');
    expect((await send('GET', `/api/v1/files/${first.id}`, stage.owner)).json()['projectId']).toBe(to);
  });

  test('answers concurrent moves and copies in opposite directions without a deadlock', async () => {
    const { from, to, first, second } = await tree();
    for (let turn = 0; turn < 5; turn += 1) {
      const answers = await Promise.all([
        move('file', first.id, { projectId: turn % 2 === 0 ? to : from }),
        move('file', second.id, { projectId: turn % 2 === 0 ? to : from, ifTaken: 'rename' }),
        copy('file', first.id, { projectId: from, name: `a${turn}` }),
        copy('file', first.id, { projectId: to, name: `b${turn}` }),
      ]);
      for (const { status } of answers) expect([200, 201, 404, 409]).toContain(status);
    }
  });
});

test('leaves rows, bytes and usage consistent after the tests above', async () => {
  await emptyTrash(later(31));
  for (const days of [31, 62, 93]) await removeGarbage(later(days));
  const findings = await verifyStorage(stage.upkeep);
  expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
});
