import { afterAll, beforeAll, expect, test } from 'vitest';

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

const request = (method: string, id: string, ifMatch: string, json?: object) =>
  ask(stage.app.port, `/api/v1/files/${id}`, {
    method,
    headers: { ...stage.owner, 'if-match': ifMatch },
    ...(json !== undefined && { json }),
  });

test('renames and deletes a file only if it has the content of If-Match', async () => {
  const { id, etag } = await stage.newFile(project, 'a.txt', 'first');
  await stage.newFile(project, 'a.txt', 'second', 'ifTaken=version');
  expectProblem(await request('PATCH', id, String(etag), { name: 'b.txt' }), 412, 'precondition_failed');
  expectProblem(await request('DELETE', id, String(etag)), 412, 'precondition_failed');
  expect((await request('PATCH', id, '*', { name: 'b.txt' })).json()).toMatchObject({ name: 'b.txt' });
  const current = String((await stage.send('GET', `/api/v1/files/${id}`, stage.owner)).json()['etag']);
  expect((await request('DELETE', id, `"other", ${current}`)).status).toBe(204);
});

test('stores a file only if its name is free with If-None-Match, or only if it exists with If-Match of any content', async () => {
  const store = (query: string, headers: Readonly<Record<string, string>>) =>
    stage.store(project, query, 'content', { ...stage.owner, ...headers });
  expect((await store('name=new', { 'if-none-match': '*' })).status).toBe(201);
  const taken = await store('name=new&ifTaken=version', { 'if-none-match': '*' });
  expectProblem(taken, 412, 'precondition_failed');
  expect((await store('name=new&ifTaken=version', { 'if-match': '*' })).json()).toMatchObject({ version: 2 });
  const missing = await store('name=missing&ifTaken=version', { 'if-match': '*' });
  expectProblem(missing, 412, 'precondition_failed');
});

test('uses the media type of the request unless the query names one, and sends the time of the last change', async () => {
  const typed = { ...stage.owner, 'content-type': 'Text/Plain; charset=utf-8' };
  const stored = await stage.store(project, 'name=typed', 'content', typed);
  expect(stored.json()).toMatchObject({ mediaType: 'Text/Plain' });
  const named = await stage.store(project, 'name=named&mediaType=image/png', 'content', typed);
  expect(named.json()).toMatchObject({ mediaType: 'image/png' });
  const sent = await stage.contentOf(stored.json()['id']);
  expect(sent.headers['last-modified']).toMatch(/ GMT$/);
});

test('refuses other bytes for a completed upload, and returns the file for the same', async () => {
  const fields = { projectId: project, name: 'repeated', size: 5 };
  const upload = await stage.send('POST', '/api/v1/uploads', stage.owner, fields);
  const put = (body: string) =>
    ask(stage.app.port, `/api/v1/uploads/${String(upload.json()['id'])}/content`, {
      method: 'PUT',
      headers: stage.owner,
      body,
    });
  const first = await put('12345');
  expect((await put('12345')).json()['id']).toBe(first.json()['id']);
  for (const other of ['54321', '123456']) expectProblem(await put(other), 409, 'conflict');
});

test('a request without an organization concerns the first one of the account, and lists shares of all', async () => {
  const { headers, username } = await stage.acme.addMember('guest');
  const made = await stage.send('POST', '/dm/api/core/organizations/', headers, {
    platform_key: `${username}-second`,
    name: 'Second',
  });
  expect(made.status).toBe(201);
  const created = await stage.send('POST', '/api/v1/projects', headers, { name: 'Of the first' });
  expect(created.json()['organization']).not.toBe(`${username}-second`);
  const json = { member: username, level: 'read' };
  await stage.send('POST', `/api/v1/projects/${project}/shares`, stage.owner, json);
  stage.age();
  const shares = await stage.send('GET', '/api/v1/shares', headers);
  expect(shares.json()['data']).toHaveLength(1);
  const ofOwn = await stage.send('GET', `/api/v1/shares?organization=${username}-second`, headers);
  expect(ofOwn.json()['data']).toEqual([]);
});
