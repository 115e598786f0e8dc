import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const home = `/platform/${acme.key}`;

test('owners set the quotas of projects and people on a page; the project page has a meter', async () => {
  const json = { name: 'Measured', organization: acme.key };
  const made = await stage.send('POST', '/api/v1/projects', acme.owner.headers, json);
  const project = `${home}/projects/${String(made.json()['id'])}`;
  const { username } = await acme.addMember('member');
  expect((await openPage(stage, project, ownerCookie)).text).toContain(
    '0 bytes used, including versions and trash',
  );
  const set = (path: string, megabytes: string, cookie = ownerCookie) =>
    sendForm(stage, path, { megabytes }, { cookie });
  expect((await set(`${project}/quota`, '5')).status).toBe(303);
  expect((await set(`${home}/quotas/${username}`, '7')).status).toBe(303);
  expect((await openPage(stage, `${home}/projects`, ownerCookie)).text).toContain(`${home}/quotas`);
  const page = await openPage(stage, `${home}/quotas`, ownerCookie);
  expect(page.text).toMatch(new RegExp(`value="7"\\s+aria-label="Quota of ${username} in MB"`));
  expect(page.text).toMatch(/value="5"\s+aria-label="Quota of Measured in MB"/);
  expect((await openPage(stage, project, ownerCookie)).text).toContain('0 bytes of 5.0 MB used');
  expect((await set(`${project}/quota`, '')).status).toBe(303);
  expect((await openPage(stage, project, ownerCookie)).text).toContain(
    '0 bytes used, including versions and trash',
  );
  expect((await set(`${project}/quota`, '-1')).status).toBe(400);
});

test('members see no quotas and set none', async () => {
  const member = await signInForCookie(stage, await acme.addMember('member'));
  expect((await openPage(stage, `${home}/quotas`, member)).status).toBe(403);
  expect((await openPage(stage, `${home}/projects`, member)).text).not.toContain(`${home}/quotas`);
  const answer = await sendForm(stage, `${home}/quotas/x`, { megabytes: '1' }, { cookie: member });
  expect(answer.status).toBe(403);
});
