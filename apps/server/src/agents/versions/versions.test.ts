import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
let organization: TestOrganization;
let owner: TestMember;
let id = '';
beforeAll(async () => {
  stage = await startTestAccess();
  organization = await stage.createOrganization();
  ({ owner } = organization);
});
let made = 0;
beforeEach(async () => {
  made += 1;
  const body = { template_name: 'ai-mentor', new_mentor_name: `Agent ${made}`, description: 'First' };
  const path = `/dm/api/ai-mentor/orgs/${organization.key}/users/${owner.username}/mentor-with-settings/`;
  id = String((await stage.send('POST', path, owner.headers, body)).json()['unique_id']);
});
afterAll(() => stage.stop());

const pathOf = (rest: string, member = owner): string =>
  `/dm/api/ai-mentor/orgs/${organization.key}/users/${member.username}/mentors/${id}/${rest}`;
const change = (body: object, member = owner): Promise<Answer> =>
  stage.send('PATCH', pathOf('settings/', member), member.headers, body);
const get = (rest: string, member = owner): Promise<Answer> =>
  stage.send('GET', pathOf(rest, member), member.headers);
const restore = (number: number | string, member = owner): Promise<Answer> =>
  stage.send('POST', pathOf(`versions/${number}/restore/`, member), member.headers);
const listed = async () => (await get('versions/')).json()['versions'] as Record<string, unknown>[];

test('an agent that was never changed has no versions', async () => {
  expect(await listed()).toEqual([]);
});

test('each change makes a version, and the first one stores the settings before it too', async () => {
  const admin = await organization.addMember('admin');
  await change({ description: 'Second' });
  await change({ system_prompt: 'Be brief.', sources: ['news'] }, admin);
  expect(await listed()).toEqual([
    expect.objectContaining({ number: 3, made_by: admin.username, changed: ['system_prompt', 'sources'] }),
    expect.objectContaining({ number: 2, made_by: owner.username, changed: ['description'] }),
    expect.objectContaining({ number: 1, made_by: owner.username, changed: [] }),
  ]);
  const first = (await get('versions/1/')).json();
  expect(first['settings']).toMatchObject({ description: 'First', sources: ['news', 'files'] });
});

test('a restored version has all of its settings and is the newest version', async () => {
  const before = (await get('settings/')).json();
  await change({ description: 'Second', categories: [], file_projects: [randomUUID()] });
  const restored = await restore(1);
  expect(restored.status).toBe(200);
  const { updated_at: _, ...settings } = before;
  expect(restored.json()).toMatchObject(settings);
  expect((await listed()).map(({ number }) => number)).toEqual([3, 2, 1]);
  // Undone in turn.
  expect((await restore(2)).json()).toMatchObject({ description: 'Second', categories: [] });
});

test('the newest 50 versions are stored, and disappear with the agent', async () => {
  for (let at = 0; at < 60; at += 1) await change({ description: `Change ${at}` });
  const numbers = (await listed()).map(({ number }) => number);
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([50, 61, 12]);
  expectProblem(await get('versions/11/'), 404, 'not_found');
  expectProblem(await restore(11), 404, 'not_found');
  expect((await stage.send('DELETE', pathOf(''), owner.headers)).status).toBe(204);
  expectProblem(await get('versions/'), 404, 'not_found');
});

test('concurrent changes each make a version', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => change({ description: `At once ${at}` })));
  const versions = await listed();
  expect(versions.map(({ number }) => number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const newest = (await get('versions/9/')).json()['settings'] as Record<string, unknown>;
  expect((await get('settings/')).json()['description']).toBe(newest['description']);
});

test('a viewer reads versions and cannot restore them; members of other organizations find none', async () => {
  await change({ description: 'Second' });
  const viewer = await organization.addMember('viewer');
  expect((await get('versions/1/', viewer)).status).toBe(200);
  expectProblem(await restore(1, viewer), 403, 'forbidden');
  const stranger = (await stage.createOrganization()).owner;
  expectProblem(await stage.send('GET', pathOf('versions/'), stranger.headers), 404, 'not_found');
  expectProblem(await stage.send('POST', pathOf('versions/1/restore/'), stranger.headers), 404, 'not_found');
});

test('a number that is none is refused', async () => {
  expectProblem(await restore('0'), 400, 'invalid_request');
  expectProblem(await restore('latest'), 400, 'invalid_request');
});
