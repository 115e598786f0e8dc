import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';

let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const create = (name: string, headers = stage.owner, more = {}) =>
  send('POST', '/api/v1/projects', headers, { name, ...more });

describe('POST /api/v1/projects', () => {
  test('201: creates a project in the organization and a workspace of the caller', async () => {
    const answer = await create('Notes');
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ name: 'Notes', organization: stage.acme.key });
  });

  test('201: with an API key as well', async () => {
    const made = await send('POST', '/api/v1/api-keys', stage.owner, { name: 'k' });
    const headers = { 'x-api-key': String(made.json()['key']) };
    expect((await create('By key', headers)).status).toBe(201);
  });

  test('400: for a name that is a path, and a workspace of another account', async () => {
    expectProblem(await create('a/b'), 400, 'invalid_request');
    expectProblem(await create('Elsewhere', stage.owner, { workspaceId: nowhere }), 400, 'invalid_request');
  });

  test('401 without a credential', async () => {
    expectProblem(await create('x', {}), 401, 'unauthenticated');
  });

  test('403 with read permission only', async () => {
    const organization = { organization: stage.acme.key };
    expectProblem(await create('x', stage.viewer.headers, organization), 403, 'forbidden');
  });

  test('404 for non-members, and outside the organizations of a key', async () => {
    const organization = { organization: stage.acme.key };
    expectProblem(await create('x', stage.stranger, organization), 404, 'not_found');
    const other = await stage.createOrganization();
    const scopes = { organizations: [other.id] };
    const made = await send('POST', '/api/v1/api-keys', other.owner.headers, { name: 'narrow', scopes });
    const key = { 'x-api-key': String(made.json()['key']) };
    expect((await create('Inside', key, { organization: other.key })).status).toBe(201);
    expectProblem(await create('Outside', key, organization), 404, 'not_found');
  });

  test('409: for a name that folds to an existing one', async () => {
    await create('Straße');
    expectProblem(await create('STRASSE'), 409, 'name_taken');
  });

  test('413 and 415: for a body that is too large, or of another type', async () => {
    expectProblem(await create('x'.repeat(70_000)), 413, 'payload_too_large');
    const form = { method: 'POST', headers: { ...stage.owner, 'content-type': 'text/csv' }, body: 'a,b' };
    expectProblem(await ask(stage.app.port, '/api/v1/projects', form), 415, 'unsupported_media_type');
  });
});

describe('GET /api/v1/projects', () => {
  test('200: lists no projects to a guest, and returns 404 for their paths', async () => {
    const { headers } = await stage.acme.addMember('guest');
    const { id } = await stage.newProject();
    const { key } = stage.acme;
    const listed = await send('GET', `/api/v1/projects?organization=${key}`, headers);
    expect([listed.status, listed.json()['data']]).toEqual([200, []]);
    for (const rest of ['', '/children', '/trash', '/archive', '/search?name=a'])
      expectProblem(await send('GET', `/api/v1/projects/${id}${rest}`, headers), 404, 'not_found');
    expectProblem(await create('x', headers, { organization: key }), 403, 'forbidden');
  });

  test('200: paginates forward and backward with cursors, each project once', async () => {
    for (let turn = 0; turn < 5; turn += 1) await stage.newProject();
    const whole = (await send('GET', '/api/v1/projects?limit=100', stage.owner)).json() as unknown as Page;
    const seen: string[] = [];
    let page = (await send('GET', '/api/v1/projects?limit=2', stage.owner)).json() as unknown as Page;
    while (page.data.length > 0) {
      seen.push(...page.data.map(({ id }) => id));
      const next = `/api/v1/projects?limit=2&cursor=${page.pagination.nextCursor}`;
      page = (await send('GET', next, stage.owner)).json() as unknown as Page;
    }
    expect(seen).toEqual(whole.data.map(({ id }) => id));
    expect(page.pagination).toEqual({ hasMore: false, nextCursor: null, prevCursor: null });
  });

  test('200: sort=name orders from A to Z, case-insensitively', async () => {
    for (const name of ['zz B', 'ZZ a', 'Zz c']) await stage.newProject(name);
    const names: string[] = [];
    let path: string | null = '/api/v1/projects?sort=name&limit=2';
    while (path !== null) {
      const answer = await send('GET', path, stage.owner);
      const { pagination } = answer.json() as unknown as Page;
      names.push(...(answer.json()['data'] as { name: string }[]).map(({ name }) => name));
      path = pagination.hasMore ? `/api/v1/projects?sort=name&limit=2&cursor=${pagination.nextCursor}` : null;
    }
    expect(names.slice(-3)).toEqual(['ZZ a', 'zz B', 'Zz c']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('400: for a cursor of another organization', async () => {
    const { pagination } = (await send('GET', '/api/v1/projects', stage.owner)).json() as unknown as Page;
    const path = `/api/v1/projects?cursor=${pagination.nextCursor}`;
    expectProblem(await send('GET', path, stage.stranger), 400, 'invalid_cursor');
  });

  test('404: for an organization of others', async () => {
    const path = `/api/v1/projects?organization=${stage.acme.key}`;
    expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
  });
});

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

describe('/api/v1/projects/{project}', () => {
  test('200: reads and renames a project', async () => {
    const { id } = await stage.newProject();
    expect((await send('GET', `/api/v1/projects/${id}`, stage.viewer.headers)).json()['id']).toBe(id);
    const renamed = await send('PATCH', `/api/v1/projects/${id}`, stage.owner, { name: 'Renamed' });
    expect([renamed.status, renamed.json()['name']]).toEqual([200, 'Renamed']);
  });

  test('204 deletes it for everyone; 200 restores it unchanged', async () => {
    const { id, name } = await stage.newProject();
    const folder = await stage.newFolder(id, 'inside');
    expect((await send('DELETE', `/api/v1/projects/${id}`, stage.owner)).status).toBe(204);
    expectProblem(await send('GET', `/api/v1/projects/${id}`, stage.owner), 404, 'not_found');
    expectProblem(await send('GET', `/api/v1/folders/${folder.id}`, stage.owner), 404, 'not_found');
    const restored = await send('POST', `/api/v1/projects/${id}/restore`, stage.owner);
    expect([restored.status, restored.json()['name']]).toEqual([200, name]);
    expect((await send('GET', `/api/v1/folders/${folder.id}`, stage.owner)).status).toBe(200);
  });

  test('200: lists deleted projects to those who may restore them, most recently deleted first', async () => {
    const { headers } = await stage.acme.addMember('member');
    const ids: string[] = [];
    for (const name of ['Deleted first', 'Deleted second']) {
      const { id } = await stage.newProject(name);
      expect((await send('DELETE', `/api/v1/projects/${id}`, stage.owner)).status).toBe(204);
      ids.unshift(id);
    }
    const path = `/api/v1/deleted-projects?organization=${stage.acme.key}`;
    const listed = async (as = stage.owner): Promise<readonly unknown[]> =>
      ((await send('GET', `${path}&limit=100`, as)).json()['data'] as { id: string }[]).map(({ id }) => id);
    expect((await listed()).slice(0, 2)).toEqual(ids);
    expect((await listed(headers)).slice(0, 2)).toEqual(ids);
    expect(await listed(stage.viewer.headers)).toEqual([]);
    expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
    const first = await send('GET', `${path}&limit=1`, stage.owner);
    const { pagination } = first.json() as unknown as Page;
    const second = await send('GET', `${path}&limit=1&cursor=${pagination.nextCursor}`, stage.owner);
    expect(second.json()['data']).toEqual([expect.objectContaining({ id: ids[1] })]);
    expect((await send('POST', `/api/v1/projects/${ids[0]}/purge`, stage.owner)).status).toBe(204);
    expect((await listed())[0]).toBe(ids[1]);
  });

  test('404: for a restore after 30 days', async () => {
    const { id } = await stage.newProject();
    await send('DELETE', `/api/v1/projects/${id}`, stage.owner);
    await stage.database.asSuperuser(
      "UPDATE storage.project SET trashed_at = trashed_at - interval '30 days' WHERE id = $1",
      [id],
    );
    expectProblem(await send('POST', `/api/v1/projects/${id}/restore`, stage.owner), 404, 'not_found');
  });

  test('409: for a rename or restore to a taken name', async () => {
    const [one, other] = [await stage.newProject('Taken'), await stage.newProject()];
    const path = `/api/v1/projects/${other.id}`;
    expectProblem(await send('PATCH', path, stage.owner, { name: 'taken' }), 409, 'name_taken');
    await send('DELETE', `/api/v1/projects/${one.id}`, stage.owner);
    await stage.newProject('TAKEN');
    const restore = `/api/v1/projects/${one.id}/restore`;
    expectProblem(await send('POST', restore, stage.owner), 409, 'name_taken');
  });

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ])('404: %s %s returns the same error to non-members and for unknown ids', async (method, rest, json) => {
    const { id } = await stage.newProject();
    const hidden = await send(method, `/api/v1/projects/${id}${rest}`, stage.stranger, json);
    const absent = await send(method, `/api/v1/projects/${nowhere}${rest}`, stage.owner, json);
    const { requestId: one, ...ofHidden } = expectProblem(hidden, 404, 'not_found');
    const { requestId: other, ...ofAbsent } = expectProblem(absent, 404, 'not_found');
    expect(one).not.toBe(other);
    expect(ofHidden).toEqual(ofAbsent);
  });

  test.each([
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ])('403: %s %s with read permission only', async (method, rest, json) => {
    const { id } = await stage.newProject();
    const answer = await send(method, `/api/v1/projects/${id}${rest}`, stage.viewer.headers, json);
    expectProblem(answer, 403, 'forbidden');
  });
});
