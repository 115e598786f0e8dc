import { afterAll, beforeAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
const mentors = `/dm/api/ai-mentor/orgs/${acme.key}/users/${acme.owner.username}`;
let here = '';
let settings = '';
beforeAll(async () => {
  const body = {
    template_name: 'ai-mentor',
    new_mentor_name: 'Researcher',
    system_prompt: 'Be brief.\nBe <kind>.',
  };
  const made = await stage.send('POST', `${mentors}/mentor-with-settings/`, acme.owner.headers, body);
  const id = String(made.json()['unique_id']);
  here = `/platform/${acme.key}/agents/${id}`;
  settings = `${mentors}/mentors/${id}/settings/`;
});
afterAll(() => stage.stop());

const open = async (rest: string, cookie = ownerCookie): Promise<string> =>
  (await openPage(stage, here + rest, cookie)).text;

test('an owner finds a former version on the page of an agent, compares it and restores it', async () => {
  expect(await open('')).toContain(`href="${here}/versions"`);
  expect(await open('/versions')).toContain('No versions yet.');
  await stage.send('PATCH', settings, acme.owner.headers, { system_prompt: 'Be brief.', sources: ['news'] });
  const list = await open('/versions');
  expect(list).toContain('System prompt, Answers from');
  expect(list).toContain('Current version');
  const version = await open('/versions/1');
  expect(version).toMatch(/Be &[^;]+;kind&[^;]+;\./u);
  expect(version).toContain('Restore version 1');
  expect(await open('/versions/2')).toContain('This version is identical to the current settings.');
  const restored = await sendForm(stage, `${here}/versions/1/restore`, {}, { cookie: ownerCookie });
  expect([restored.status, restored.headers['location']]).toEqual([303, here]);
  expect(await open('')).toMatch(/Be &[^;]+;kind&[^;]+;\./u);
  expect(await open('/versions')).toContain(`${here}/versions/3`);
});

test('a viewer compares versions without a button, and a version that does not exist is not found', async () => {
  const cookie = await signInForCookie(stage, await acme.addMember('viewer'));
  const page = await open('/versions/2', cookie);
  expect(page).toContain('Answers from');
  expect(page).not.toContain('Restore version');
  expect((await sendForm(stage, `${here}/versions/1/restore`, {}, { cookie })).status).toBe(403);
  expect((await openPage(stage, `${here}/versions/99`, ownerCookie)).status).toBe(404);
});
