import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestMember } from '../../test/access.ts';
import type { Answer } from '../../test/http-client.ts';
import { ask, expectProblem } from '../../test/http-client.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const share = async (path: string, json: object): Promise<Answer> => {
  const answer = await send('POST', `/api/v1/${path}/shares`, stage.owner, json);
  stage.age();
  return answer;
};
const statusOf = async (path: string, who: TestMember, method = 'GET'): Promise<number> =>
  (await send(method, `/api/v1/${path}`, who.headers)).status;
const reserve = (fields: object, { headers }: TestMember): Promise<Answer> =>
  send('POST', '/api/v1/uploads', headers, { projectId: project, size: 5, ...fields });
const put = (upload: Answer, { headers }: TestMember): Promise<Answer> =>
  ask(stage.app.port, `/api/v1/uploads/${String(upload.json()['id'])}/content`, {
    method: 'PUT',
    headers,
    body: '12345',
  });

test('a share shows the current version only, and earlier versions if the history is shared', async () => {
  const { id } = await stage.newFile(project, 'secret.txt', 'confidential');
  await stage.newFile(project, 'secret.txt', 'public', 'ifTaken=version');
  const reader = await stage.acme.addMember('guest');
  const paths = [`files/${id}/versions`, `files/${id}/content?version=1`];
  const current = [`files/${id}/content`, `files/${id}/content?version=2`];
  for (const level of ['read', 'write', 'manage']) {
    const shared = await share(`files/${id}`, { member: reader.username, level });
    expect(shared.json()).toMatchObject({ level, history: false });
    for (const path of paths) expect(await statusOf(path, reader)).toBe(403);
    for (const path of current) expect(await statusOf(path, reader)).toBe(200);
  }
  expect(await statusOf(`files/${id}/versions/1/restore`, reader, 'POST')).toBe(403);
  const shared = await share(`files/${id}`, { member: reader.username, level: 'read', history: true });
  expect(shared.json()).toMatchObject({ level: 'read', history: true });
  for (const path of paths) expect(await statusOf(path, reader)).toBe(200);
});

test('no level of a share lets a recipient delete permanently; what they delete stays in the trash of the owner', async () => {
  const place = (await stage.newFolder(project, 'given')).id;
  const { id } = await stage.newFile(project, 'kept.txt', 'original', `folderId=${place}`);
  await stage.newFile(project, 'kept.txt', 'second', `folderId=${place}&ifTaken=version`);
  const writer = await stage.acme.addMember('guest');
  await share(`folders/${place}`, { member: writer.username, level: 'manage', history: true });
  expect(await statusOf(`files/${id}/versions/1`, writer, 'DELETE')).toBe(403);
  expect(await statusOf(`files/${id}`, writer, 'DELETE')).toBe(204);
  expect(await statusOf(`files/${id}/purge`, writer, 'POST')).toBe(403);
  expect(await statusOf(`projects/${project}/trash`, writer, 'DELETE')).toBe(404);
  expect((await send('POST', `/api/v1/files/${id}/restore`, stage.owner, {})).status).toBe(200);
  expect((await stage.contentOf(id, stage.owner, '?version=1')).text).toBe('original');
});

test('an upload cannot replace a file that was stored after its reservation without permission to update it', async () => {
  const folder = (await stage.newFolder(project, 'created in')).id;
  const policy = await send('POST', '/dm/api/core/rbac/policies/', stage.owner, {
    platform_key: stage.acme.key,
    name: `create only ${folder}`,
    actions: ['Daybook.Storage/*/read', 'Daybook.Storage/Files/create'],
    resources: ['', '/**'].map(
      (end) => `/organizations/${stage.acme.key}/projects/${project}/folders/${folder}${end}`,
    ),
  });
  const sender = await stage.acme.addMember('guest');
  await send('POST', '/dm/api/core/rbac/groups/', stage.owner, {
    platform_key: stage.acme.key,
    name: `creators ${folder}`,
    users_to_add: [sender.username],
    policies_to_add: [policy.json()['id']],
  });
  stage.age();
  const fields = { folderId: folder, ifTaken: 'version' };
  const [taken, free] = ['taken', 'free'];
  const [first, second] = [
    await reserve({ ...fields, name: taken }, sender),
    await reserve({ ...fields, name: free }, sender),
  ];
  const { id } = await stage.newFile(project, taken, 'the owner’s', `folderId=${folder}`);
  expectProblem(await put(first, sender), 403, 'forbidden');
  expect((await stage.contentOf(id)).text).toBe('the owner’s');
  expect((await put(second, sender)).status).toBe(200);
  expectProblem(await reserve({ ...fields, name: taken }, sender), 403, 'forbidden');
});

const openUploads = async (headers = stage.owner): Promise<Answer> =>
  send('GET', `/api/v1/projects/${project}/uploads`, headers);
const stateOf = async (upload: Answer, { headers }: TestMember): Promise<unknown> =>
  (await send('GET', `/api/v1/uploads/${String(upload.json()['id'])}`, headers)).json()['state'];

test('owners list and cancel the open uploads of every account; members and guests cannot', async () => {
  const [member, other] = [await stage.acme.addMember('member'), await stage.acme.addMember('member')];
  const upload = await reserve({ name: 'unfinished' }, member);
  const { id } = upload.json();
  const listed = await openUploads();
  expect(listed.json()['data']).toContainEqual(
    expect.objectContaining({ id, createdBy: member.username, size: 5, state: 'open' }),
  );
  expectProblem(await openUploads(other.headers), 403, 'forbidden');
  expectProblem(await openUploads(stage.stranger), 404, 'not_found');
  expect(await statusOf(`uploads/${String(id)}`, other, 'DELETE')).toBe(404);
  expect((await send('DELETE', `/api/v1/uploads/${String(id)}`, stage.owner)).status).toBe(204);
  expect(await stateOf(upload, member)).toBe('abandoned');
});

test('a share that ends or becomes weaker ends the uploads that it allowed, and no others', async () => {
  const folder = (await stage.newFolder(project, 'for uploads')).id;
  const [guest, member] = [await stage.acme.addMember('guest'), await stage.acme.addMember('member')];
  const shareFor = (level: string) => share(`folders/${folder}`, { member: guest.username, level });
  const place = { folderId: folder };
  await shareFor('write');
  const weakened = await reserve({ ...place, name: 'weakened' }, guest);
  await shareFor('read');
  expect(await stateOf(weakened, guest)).toBe('abandoned');
  const shared = await shareFor('manage');
  const [ended, kept] = [
    await reserve({ ...place, name: 'ended' }, guest),
    await reserve({ ...place, name: 'kept' }, member),
  ];
  await send('DELETE', `/api/v1/shares/${String(shared.json()['id'])}`, stage.owner);
  expect([await stateOf(ended, guest), await stateOf(kept, member)]).toEqual(['abandoned', 'open']);
});

test('a writer cannot move content of others to a place where they may delete it permanently', async () => {
  const [shared, own] = [
    (await stage.newFolder(project, 'of others')).id,
    (await stage.newFolder(project, 'of the writer')).id,
  ];
  const elsewhere = (await stage.newProject()).id;
  const { id: file } = await stage.newFile(project, 'of others.txt', 'original', `folderId=${shared}`);
  const { id: folder } = await stage.newFolder(project, 'inner', shared);
  const writer = await stage.acme.addMember('guest');
  const below = `/organizations/${stage.acme.key}/projects`;
  const grant = async (name: string, actions: readonly string[], resources: readonly string[]) => {
    const platform = { platform_key: stage.acme.key, name };
    const policy = await send('POST', '/dm/api/core/rbac/policies/', stage.owner, {
      ...platform,
      actions,
      resources,
    });
    const group = { users_to_add: [writer.username], policies_to_add: [policy.json()['id']] };
    await send('POST', '/dm/api/core/rbac/groups/', stage.owner, { ...platform, ...group });
    stage.age();
  };
  const place = `${below}/${project}/folders/${own}`;
  await grant('own place', ['Daybook.Storage/*/*'], [place, `${place}/**`]);
  await grant('own project', ['Daybook.Storage/*/*'], [`${below}/${elsewhere}`, `${below}/${elsewhere}/**`]);
  await share(`folders/${shared}`, { member: writer.username, level: 'manage', history: true });
  const move = (path: string, method: string, json: object, headers = writer.headers): Promise<Answer> =>
    send(method, `/api/v1/${path}`, headers, json);
  for (const path of [`files/${file}`, `folders/${folder}`]) {
    expectProblem(await move(path, 'PATCH', { folderId: own }), 403, 'forbidden');
    expectProblem(await move(`${path}/move`, 'POST', { folderId: own }), 403, 'forbidden');
    expectProblem(
      await move(`${path}/move`, 'POST', { projectId: elsewhere, folderId: null }),
      403,
      'forbidden',
    );
  }
  expect((await move(`files/${file}`, 'PATCH', { folderId: folder })).status).toBe(200);
  const { id: mine } = await stage.newFile(project, 'mine.txt', 'own', `folderId=${own}`);
  expect((await move(`files/${mine}`, 'PATCH', { folderId: shared })).status).toBe(200);
  expect((await move(`files/${file}`, 'PATCH', { folderId: own }, stage.owner)).status).toBe(200);
});
