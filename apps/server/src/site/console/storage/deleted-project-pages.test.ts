import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const home = `/platform/${acme.key}`;
const newProject = async (name: string): Promise<string> => {
  const json = { name, organization: acme.key };
  return String((await stage.send('POST', '/api/v1/projects', acme.owner.headers, json)).json()['id']);
};
const sent = (path: string, cookie = ownerCookie) => sendForm(stage, path, {}, { cookie });

test('a deleted project is listed on a page and restored from it, with a number if its name is in use', async () => {
  const id = await newProject('Field notes');
  const page = await openPage(stage, `${home}/projects`, ownerCookie);
  expect(page.text).toContain(`href="${home}/deleted-projects"`);
  expect((await sent(`${home}/projects/${id}/remove`)).status).toBe(303);
  await newProject('Field notes');
  const deleted = await openPage(stage, `${home}/deleted-projects`, ownerCookie);
  expect(deleted.text).toMatch(/Field notes[^]*Restore Field notes[^]*Permanently delete Field notes/);
  const restored = await sent(`${home}/projects/${id}/restore`);
  expect([restored.status, restored.headers.location]).toEqual([303, `${home}/projects/${id}`]);
  expect((await openPage(stage, `${home}/projects/${id}`, ownerCookie)).text).toContain('Field notes (2)');
  expect((await openPage(stage, `${home}/deleted-projects`, ownerCookie)).text).toContain(
    'No deleted projects.',
  );
});

test('members restore but do not purge; viewers and guests see no deleted projects', async () => {
  const id = await newProject('Shared plans');
  await sent(`${home}/projects/${id}/remove`);
  const member = await signInForCookie(stage, await acme.addMember('member'));
  const listed = await openPage(stage, `${home}/deleted-projects`, member);
  expect(listed.text).toContain('Restore Shared plans');
  expect(listed.text).not.toContain('Permanently delete');
  expect((await sent(`${home}/projects/${id}/purge`, member)).status).toBe(403);
  for (const role of ['viewer', 'guest'] as const) {
    const other = await signInForCookie(stage, await acme.addMember(role));
    expect((await openPage(stage, `${home}/deleted-projects`, other)).text).not.toContain('Shared plans');
    expect((await sent(`${home}/projects/${id}/restore`, other)).status).toBe(role === 'viewer' ? 403 : 404);
  }
  expect((await sent(`${home}/projects/${id}/purge`)).status).toBe(303);
  expect((await sent(`${home}/projects/${id}/restore`)).status).toBe(404);
});
