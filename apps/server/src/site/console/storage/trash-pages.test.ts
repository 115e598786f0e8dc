import { afterAll, expect, test } from 'vitest';

import { openPage, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const send = async (method: string, path: string, json?: object): Promise<string> =>
  String((await stage.send(method, `/api/v1/${path}`, acme.owner.headers, json)).json()['id']);

function restore(project: string, entries: readonly string[], cookie: string): Promise<Answer> {
  return ask(stage.app.port, `/platform/${acme.key}/projects/${project}/trash/restore`, {
    method: 'POST',
    body: new URLSearchParams(entries.map((entry) => ['entries', entry])).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie,
    },
  });
}

async function trashed(names: readonly string[]): Promise<readonly [string, readonly string[]]> {
  const project = await send('POST', 'projects', { name: names.join(' '), organization: acme.key });
  const folders: string[] = [];
  for (const name of names) {
    const id = await send('POST', `projects/${project}/folders`, { name });
    await stage.send('DELETE', `/api/v1/folders/${id}`, acme.owner.headers);
    folders.push(`folder/${id}`);
  }
  return [project, folders];
}

test('selected entries are restored together, and the page says how many', async () => {
  const [project, [one = '', two = '']] = await trashed(['one', 'two', 'three']);
  const page = `/platform/${acme.key}/projects/${project}/trash`;
  expect((await openPage(stage, page, ownerCookie)).text).toContain('Restore selected');
  const answer = await restore(project, [one, two], ownerCookie);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('2 entries restored.')]);
  expect(answer.text).toContain('three');
  expect(answer.text).not.toContain(`value="${one}"`);
});

test('a refused entry does not stop the others, and the page names both', async () => {
  const [project, [one = '', two = '']] = await trashed(['outer', 'free']);
  await stage.send('POST', `/api/v1/folders/${one.slice(7)}/restore`, acme.owner.headers, {});
  const inner = await send('POST', `projects/${project}/folders`, { name: 'inner', folderId: one.slice(7) });
  for (const id of [inner, one.slice(7)])
    await stage.send('DELETE', `/api/v1/folders/${id}`, acme.owner.headers);
  const answer = await restore(project, [`folder/${inner}`, two], ownerCookie);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('1 entry was not changed')]);
  expect(answer.text).toContain('The parent folder is in the trash. Restore it first.');
  expect((await stage.send('GET', `/api/v1/folders/${two.slice(7)}`, acme.owner.headers)).status).toBe(200);
});

test('an empty selection, an unknown entry and a viewer are refused, and nothing is restored', async () => {
  const [project, [one = '']] = await trashed(['kept']);
  const viewer = await signInForCookie(stage, await acme.addMember('viewer'));
  const unknown = 'folder/00000000-0000-7000-8000-000000000000';
  expect((await restore(project, [], ownerCookie)).status).toBe(400);
  expect((await restore(project, [unknown], ownerCookie)).status).toBe(404);
  expect((await restore(project, [one], viewer)).status).toBe(403);
  const { text } = await openPage(stage, `/platform/${acme.key}/projects/${project}/trash`, ownerCookie);
  expect(text).toContain(`value="${one}"`);
});
