import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const set = (path: string, quotaBytes: number | null, headers = stage.owner) =>
  stage.send('PUT', `/api/v1/${path}`, headers, { quotaBytes });

test('an owner sets the quota of a project, which refuses uploads beyond it', async () => {
  await stage.newFile(project, 'a', '12345');
  expect((await set(`projects/${project}/quota`, 8)).json()).toEqual({ usedBytes: 5, quotaBytes: 8 });
  expectProblem(await stage.store(project, 'name=b', '1234'), 409, 'quota_exceeded');
  expect((await stage.store(project, 'name=b', '123')).status).toBe(201);
  expect((await set(`projects/${project}/quota`, null)).json()).toEqual({ usedBytes: 8, quotaBytes: null });
  const usage = await stage.send('GET', `/api/v1/projects/${project}/usage`, stage.viewer.headers);
  expect(usage.json()).toEqual({ usedBytes: 8, quotaBytes: null });
});

test('an owner sets the quota of a member and lists what counts for each', async () => {
  const { headers, username } = await stage.acme.addMember('member');
  expect((await set(`usage/people/${username}`, 3)).json()).toMatchObject({ username, quotaBytes: 3 });
  expectProblem(await stage.store(project, 'name=c', '1234', headers), 409, 'quota_exceeded');
  expect((await stage.store(project, 'name=c', '123', headers)).status).toBe(201);
  const listed = await stage.send('GET', '/api/v1/usage/people?limit=100', stage.owner);
  expect(listed.json()['data']).toContainEqual({ username, role: 'member', usedBytes: 3, quotaBytes: 3 });
});

test('members, guests, strangers and other organizations set no quota and list no people', async () => {
  const [member, guest] = [await stage.acme.addMember('member'), await stage.acme.addMember('guest')];
  expectProblem(await set(`projects/${project}/quota`, 0, member.headers), 403, 'forbidden');
  expectProblem(await set(`projects/${project}/quota`, 0, guest.headers), 404, 'not_found');
  expectProblem(await set(`projects/${project}/quota`, 0, stage.stranger), 404, 'not_found');
  const people = `usage/people/${member.username}?organization=${stage.acme.key}`;
  for (const { headers } of [member, guest]) expectProblem(await set(people, 0, headers), 403, 'forbidden');
  expectProblem(await set(people, 0, stage.stranger), 404, 'not_found');
  expectProblem(await set('usage/people/nobody-here', 0), 404, 'not_found');
  const list = `/api/v1/usage/people?organization=${stage.acme.key}`;
  expectProblem(await stage.send('GET', list, member.headers), 403, 'forbidden');
  expectProblem(await stage.send('GET', list, stage.stranger), 404, 'not_found');
  expectProblem(await set(`projects/${project}/quota`, -1), 400, 'invalid_request');
});
