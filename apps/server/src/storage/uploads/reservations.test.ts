import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { tusRequests } from '../../../test/tus-requests.ts';
import { verifyStorage } from '../verify-storage.ts';
import { releaseIdleSpace } from './reservations.ts';

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
const reserve = (fields: object, { headers }: Pick<TestMember, 'headers'>): Promise<Answer> =>
  send('POST', '/api/v1/uploads', headers, { projectId: project, size: 5, ...fields });
const put = (upload: Answer, { headers }: Pick<TestMember, 'headers'>, body: string): Promise<Answer> =>
  ask(stage.app.port, `/api/v1/uploads/${String(upload.json()['id'])}/content`, {
    method: 'PUT',
    headers,
    body,
  });
const stateOf = async (upload: Answer, { headers }: TestMember): Promise<unknown> =>
  (await send('GET', `/api/v1/uploads/${String(upload.json()['id'])}`, headers)).json()['state'];
const usage = async () => (await send('GET', '/api/v1/usage', stage.owner)).json();
test('a guest can store and reserve five percent of the quota, also with concurrent requests; members are not refused', async () => {
  const folder = (await stage.newFolder(project, 'of a guest')).id;
  const guest = await stage.acme.addMember('guest');
  await share(`folders/${folder}`, { member: guest.username, level: 'write' });
  await stage.giveRoom(10_000_000);
  const place = { folderId: folder };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, turn) =>
      reserve({ ...place, name: `guest ${turn}`, size: 100_000 }, guest),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 5 }, () => 201),
    ...Array.from({ length: 3 }, () => 409),
  ]);
  const refused = await reserve({ ...place, name: 'more', size: 1 }, guest);
  expectProblem(refused, 409, 'quota_exceeded');
  const member = await stage.acme.addMember('member');
  expect((await reserve({ ...place, name: 'member', size: 5_000_000 }, member)).status).toBe(201);
  const first = answers.find(({ status }) => status === 201);
  await send('DELETE', `/api/v1/uploads/${String(first?.json()['id'])}`, guest.headers);
  expect((await reserve({ ...place, name: 'again', size: 100_000 }, guest)).status).toBe(201);
});

test('all guests together can use twenty percent of the quota, and members and guests ninety-five', async () => {
  const other = (await stage.newProject()).id;
  await stage.giveRoom(10_000_000);
  const { usedBytes, reservedBytes } = await usage();
  const taken = Number(usedBytes) + Number(reservedBytes);
  await stage.giveRoom(100_000_000);
  const guests = await Promise.all(Array.from({ length: 5 }, () => stage.acme.addMember('guest')));
  const place = { projectId: other };
  const statuses: number[] = [];
  for (const guest of guests) {
    await share(`projects/${other}`, { member: guest.username, level: 'write' });
    const name = `of ${guest.username}`;
    statuses.push((await reserve({ ...place, name, size: 4_800_000 }, guest)).status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 409]);
  const member = await stage.acme.addMember('member');
  const rest = 95_000_000 - taken - 4 * 4_800_000;
  const over = await reserve({ ...place, name: 'over', size: rest + 1 }, member);
  expectProblem(over, 409, 'quota_exceeded');
  expect((await reserve({ ...place, name: 'rest', size: rest }, member)).status).toBe(201);
  expectProblem(await reserve({ ...place, name: 'more', size: 1 }, member), 409, 'quota_exceeded');
  const owner = { headers: stage.owner };
  expect((await reserve({ ...place, name: 'owner', size: 5_000_000 }, owner)).status).toBe(201);
  await stage.giveRoom(10_000_000_000);
});

test('a reservation without bytes for ten minutes shrinks to what has arrived, and later bytes reserve the rest again', async () => {
  await releaseIdleSpace(stage.upkeep);
  const owner = { headers: stage.owner };
  const before = await usage();
  const upload = await reserve({ name: 'slow', size: 1_000 }, owner);
  stage.clock.advance({ minutes: 9 });
  await releaseIdleSpace(stage.upkeep);
  expect(await usage()).toMatchObject({ reservedBytes: Number(before['reservedBytes']) + 1_000 });
  stage.clock.advance({ minutes: 2 });
  await releaseIdleSpace(stage.upkeep);
  const shrunk = await usage();
  expect(Number(shrunk['reservedBytes'])).toBeLessThanOrEqual(Number(before['reservedBytes']));
  const free = Number(shrunk['usedBytes']) + Number(shrunk['reservedBytes']);
  await stage.giveRoom(free + 999);
  expectProblem(await put(upload, owner, 'x'.repeat(1_000)), 409, 'quota_exceeded');
  await stage.giveRoom(free + 1_000);
  expect((await put(upload, owner, 'x'.repeat(1_000))).status).toBe(200);
  expect(await usage()).toMatchObject({ usedBytes: Number(shrunk['usedBytes']) + 1_000 });
  await stage.giveRoom(10_000_000_000);
});

test('requests with few bytes do not keep the rest of a reservation, and a mebibyte in ten minutes does', async () => {
  const { created, patch } = tusRequests(
    () => stage,
    () => project,
  );
  const reserved = async (): Promise<number> => Number((await usage())['reservedBytes']);
  await releaseIdleSpace(stage.upkeep);
  const before = await reserved();
  const upload = await created(4_000_000);
  for (const offset of [0, 1]) {
    stage.clock.advance({ minutes: 6 });
    expect((await patch(upload, offset, 'x')).status).toBe(204);
  }
  await releaseIdleSpace(stage.upkeep);
  expect(await reserved()).toBe(before + 2);
  expect((await patch(upload, 2, Buffer.alloc(1024 ** 2))).status).toBe(204);
  expect(await reserved()).toBe(before + 4_000_000);
  stage.clock.advance({ minutes: 9 });
  await releaseIdleSpace(stage.upkeep);
  expect(await reserved()).toBe(before + 4_000_000);
  stage.clock.advance({ minutes: 2 });
  await releaseIdleSpace(stage.upkeep);
  expect(await reserved()).toBe(before + 1024 ** 2 + 2);
});

test('processes that shrink reservations at the same time release each of them once', async () => {
  const owner = { headers: stage.owner };
  const before = await usage();
  for (let turn = 0; turn < 10; turn += 1) await reserve({ name: `idle ${turn}`, size: 1_000 }, owner);
  stage.clock.advance({ minutes: 11 });
  await Promise.all(Array.from({ length: 5 }, () => releaseIdleSpace(stage.upkeep)));
  expect(await usage()).toMatchObject({ reservedBytes: before['reservedBytes'] });
});

test('a reservation that finds no space releases those without bytes first', async () => {
  const owner = { headers: stage.owner };
  const { usedBytes, reservedBytes } = await usage();
  await stage.giveRoom(Number(usedBytes) + Number(reservedBytes) + 1_000);
  expect((await reserve({ name: 'first', size: 1_000 }, owner)).status).toBe(201);
  expectProblem(await reserve({ name: 'second', size: 1_000 }, owner), 409, 'quota_exceeded');
  stage.clock.advance({ minutes: 11 });
  expect((await reserve({ name: 'second', size: 1_000 }, owner)).status).toBe(201);
  await stage.giveRoom(10_000_000_000);
});

test('uploads end with the policy of a group, the membership of a group and the membership of an organization that allowed them', async () => {
  const folder = (await stage.newFolder(project, 'of a group')).id;
  const policy = await send('POST', '/dm/api/core/rbac/policies/', stage.owner, {
    platform_key: stage.acme.key,
    name: 'uploads of a group',
    actions: ['Daybook.Storage/*/read', 'Daybook.Storage/Files/create'],
    resources: ['', '/**'].map(
      (end) => `/organizations/${stage.acme.key}/projects/${project}/folders/${folder}${end}`,
    ),
  });
  const [first, second] = [await stage.acme.addMember('guest'), await stage.acme.addMember('guest')];
  const group = await send('POST', '/dm/api/core/rbac/groups/', stage.owner, {
    platform_key: stage.acme.key,
    name: 'uploading',
    users_to_add: [first.username, second.username],
    policies_to_add: [policy.json()['id']],
  });
  stage.age();
  const place = { folderId: folder };
  const [ofFirst, ofSecond] = [
    await reserve({ ...place, name: 'first' }, first),
    await reserve({ ...place, name: 'second' }, second),
  ];
  const path = `/dm/api/core/rbac/groups/${String(group.json()['id'])}?platform_key=${stage.acme.key}`;
  const changed = await send('PATCH', path, stage.owner, { users_to_remove: [first.username] });
  expect(changed.status).toBe(200);
  expect([await stateOf(ofFirst, first), await stateOf(ofSecond, second)]).toEqual(['abandoned', 'open']);
  await send('PATCH', path, stage.owner, { policies_to_remove: [policy.json()['id']] });
  expect(await stateOf(ofSecond, second)).toBe('abandoned');
  const member = await stage.acme.addMember('member');
  const open = await reserve({ name: 'of a former member' }, member);
  const removed = await send(
    'DELETE',
    `/dm/api/core/rbac/members/${member.username}?platform_key=${stage.acme.key}`,
    stage.owner,
  );
  expect(removed.status).toBeLessThan(300);
  const [row] = await stage.database.asSuperuser('SELECT state FROM storage.upload WHERE id = $1', [
    open.json()['id'],
  ]);
  expect(row).toEqual({ state: 'abandoned' });
});

test('content of an earlier release is counted for its project and its uploader', async () => {
  const { id } = await stage.newFile(project, 'of an earlier release', 'content');
  const counted = (): Promise<unknown> =>
    stage.database.asSuperuser(
      'SELECT (SELECT sum(bytes) FROM storage.project_usage) AS projects, (SELECT sum(bytes) FROM storage.person_usage) AS persons',
    );
  const before = await counted();
  await stage.database.asSuperuser(
    `UPDATE storage.blob SET stored_by = NULL, counted_bytes = NULL
     FROM storage.version WHERE version.blob_key = blob.key AND version.file_id = $1`,
    [id],
  );
  expect(await counted()).not.toEqual(before);
  await releaseIdleSpace(stage.upkeep);
  expect(await counted()).toEqual(before);
});

test('the usage of the organization, its projects and persons matches their content', async () => {
  const findings = await verifyStorage({ database: stage.access.database, bucket: stage.bucket });
  const named = findings.filter(({ name }) => name === 'usage' || name === 'counts');
  expect(named.map(({ offenders }) => offenders)).toEqual([[], []]);
});
