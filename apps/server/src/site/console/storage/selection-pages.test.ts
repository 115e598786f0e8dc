import { afterAll, expect, test } from 'vitest';

import { openPage, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const home = `/platform/${acme.key}`;
const made = async (path: string, json: object): Promise<string> =>
  String((await stage.send('POST', `/api/v1/${path}`, acme.owner.headers, json)).json()['id']);
const store = async (project: string, name: string, content: string): Promise<string> => {
  const answer = await ask(stage.app.port, `/api/v1/projects/${project}/files?name=${name}`, {
    method: 'POST',
    headers: { ...acme.owner.headers, 'content-type': 'application/octet-stream' },
    body: content,
  });
  return String(answer.json()['id']);
};

function send(
  path: string,
  fields: readonly (readonly [string, string])[],
  cookie = ownerCookie,
): Promise<Answer> {
  return ask(stage.app.port, `${home}/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie,
    },
  });
}

let projects = 0;
/** A project with a folder and two files, and another project. */
async function filled() {
  projects += 1;
  const project = await made('projects', { name: `Filled ${projects}`, organization: acme.key });
  const other = await made('projects', { name: `Other ${projects}`, organization: acme.key });
  const folder = await made(`projects/${project}/folders`, { name: 'Drafts' });
  const [one, two] = [await store(project, 'one.txt', 'one'), await store(project, 'two.txt', 'twotwo')];
  return { project, other, folder, one, two };
}

test('a page shows what a move will do, and moves into the chosen folder without script', async () => {
  const { project, folder, one, two } = await filled();
  const listed = await openPage(stage, `${home}/projects/${project}`, ownerCookie);
  for (const button of ['Move selected', 'Copy selected', 'Delete selected'])
    expect(listed.text).toContain(button);
  const entries = [
    ['entries', `file/${one}`],
    ['entries', `file/${two}`],
  ] as const;
  const preview = await send(`projects/${project}/selection/move`, entries);
  expect(preview.text).toMatch(/Move 2 entries[^]*Folders in Filled[^]*one.txt[^]*Allowed[^]*9 bytes/);
  const inside = await send(`projects/${project}/selection/move`, [...entries, ['into', `folder/${folder}`]]);
  expect(inside.text).toContain('Move to Drafts');
  const target = [...entries, ['to', `folder/${folder}`]] as const;
  const moved = await send(`projects/${project}/selection/move/apply`, target);
  expect([moved.status, moved.headers.location]).toEqual([303, `${home}/folders/${folder}`]);
  const { text } = await openPage(stage, `${home}/folders/${folder}`, ownerCookie);
  expect(text).toMatch(/one.txt[^]*two.txt|two.txt[^]*one.txt/);
});

test('copies a folder to another project, and deletes what is selected', async () => {
  const { project, other, folder, one } = await filled();
  const entries = [['entries', `folder/${folder}`]] as const;
  const preview = await send(`projects/${project}/selection/copy`, [
    ...entries,
    ['into', `project/${other}`],
  ]);
  expect(preview.text).toContain('Copies contain only the current versions.');
  const copied = await send(`projects/${project}/selection/copy/apply`, [
    ...entries,
    ['to', `project/${other}`],
  ]);
  expect(copied.headers.location).toBe(`${home}/projects/${other}`);
  expect((await openPage(stage, `${home}/projects/${other}`, ownerCookie)).text).toContain('Drafts');
  const gone = [...entries, ['entries', `file/${one}`]] as const;
  const asked = await send(`projects/${project}/selection/delete`, gone);
  expect(asked.text).toContain('Move 2 entries to the trash');
  expect((await send(`projects/${project}/selection/delete/apply`, gone)).status).toBe(303);
  const { text } = await openPage(stage, `${home}/projects/${project}/trash`, ownerCookie);
  expect(text).toMatch(/Drafts[^]*one.txt|one.txt[^]*Drafts/);
});

test('one refused entry does not stop the others, and the page names each result', async () => {
  const { project, folder, one } = await filled();
  const inner = await made(`projects/${project}/folders`, { name: 'Inner', folderId: folder });
  const answer = await send(`projects/${project}/selection/move/apply`, [
    ['entries', `folder/${folder}`],
    ['entries', `file/${one}`],
    ['to', `folder/${inner}`],
  ]);
  expect(answer.status).toBe(200);
  expect(answer.text).toMatch(/1 entry was not changed[^]*Drafts[^]*Not changed[^]*one.txt[^]*Moved/);
});

test('refuses an empty selection, entries of another project, and visitors without permission', async () => {
  const [first, second] = [await filled(), await filled()];
  const path = `projects/${first.project}/selection/delete`;
  expect((await send(path, [])).status).toBe(400);
  expect((await send(`${path}/apply`, [['entries', `file/${second.one}`]])).status).toBe(404);
  const viewer = await signInForCookie(stage, await acme.addMember('viewer'));
  const page = await openPage(stage, `${home}/projects/${first.project}`, viewer);
  expect(page.text).not.toContain('selected</button>');
  const own = [['entries', `file/${first.one}`]] as const;
  expect((await send(path, own, viewer)).text).toContain('Not allowed');
  expect((await send(`${path}/apply`, own, viewer)).text).toContain('Not changed');
  const guest = await signInForCookie(stage, await acme.addMember('guest'));
  expect((await send(`${path}/apply`, own, guest)).status).toBe(404);
  const file = await stage.send('GET', `/api/v1/files/${first.one}`, acme.owner.headers);
  expect(file.status).toBe(200);
});

test('uploads a small file with its name by a form, and shows a refused one again', async () => {
  const { project, folder } = await filled();
  const upload = (file: File | null) => {
    const body = new FormData();
    body.set('folderId', folder);
    if (file !== null) body.set('file', file);
    return fetch(`http://127.0.0.1:${stage.app.port}${home}/projects/${project}/upload`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: ownerCookie, 'sec-fetch-site': 'same-origin' },
    });
  };
  const answer = await upload(new File(['plain'], 'plain.txt', { type: 'text/plain' }));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${home}/folders/${folder}`]);
  const { text } = await openPage(stage, `${home}/folders/${folder}`, ownerCookie);
  expect(text).toContain('plain.txt');
  expect((await upload(null)).status).toBe(400);
  expect((await upload(new File(['x'], 'a/../b\u202E.txt'))).status).toBe(400);
});
