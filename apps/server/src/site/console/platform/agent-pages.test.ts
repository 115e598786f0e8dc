import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const mentors = () => `/dm/api/ai-mentor/orgs/${acme.key}/users/${acme.owner.username}`;
const make = async (more: object): Promise<Readonly<Record<string, unknown>>> => {
  const body = { template_name: 'ai-mentor', ...more };
  return (await stage.send('POST', `${mentors()}/mentor-with-settings/`, acme.owner.headers, body)).json();
};
const pageOf = (agent: Readonly<Record<string, unknown>>): string =>
  `/platform/${acme.key}/agents/${String(agent['unique_id'])}`;
const readAgain = async (agent: Readonly<Record<string, unknown>>) => {
  const address = `${mentors()}/mentors/${String(agent['unique_id'])}/settings/`;
  return (await stage.send('GET', address, acme.owner.headers)).json();
};

test('text from a text area is stored with LF, and an unchanged text keeps its line breaks', async () => {
  const agent = await make({ new_mentor_name: 'Lines', system_prompt: 'a\r\nb', description: 'c\r\nd' });
  const fields = { display_name: 'Lines', llm_provider: 'default', description: 'c\r\nd' };
  const save = (system_prompt: string) =>
    sendForm(stage, pageOf(agent), { ...fields, system_prompt }, { cookie: ownerCookie });
  expect((await save('a\r\nb')).status).toBe(200);
  expect(await readAgain(agent)).toMatchObject({ system_prompt: 'a\r\nb', description: 'c\r\nd' });
  await save('a\r\nb\r\nc');
  expect(await readAgain(agent)).toMatchObject({ system_prompt: 'a\nb\nc', description: 'c\r\nd' });
  // As long as the API allows, however browsers encode its line breaks.
  const long = '字\r\n'.repeat(16_000);
  expect((await save(long)).status).toBe(200);
  expect((await readAgain(agent))['system_prompt']).toBe('字\n'.repeat(16_000));
  const refused = await save(`${long}y`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('id="system_prompt-fault"')]);
});

test('the template is changed by a separate form', async () => {
  const agent = await make({ new_mentor_name: 'Changing' });
  const template = { name: 'brief', description: 'Brief.', system_prompt: 'Be brief.' };
  const more = { llm_provider: 'default', categories: ['news'], reads_public_record: true };
  await stage.send('POST', `${mentors()}/templates/`, acme.owner.headers, { ...template, ...more });
  expect((await openPage(stage, pageOf(agent), ownerCookie)).text).toContain('Change template');
  const to = (template_name: string) =>
    sendForm(stage, `${pageOf(agent)}/template`, { template_name }, { cookie: ownerCookie });
  expect((await to('brief')).text).toContain('Template changed to brief.');
  expect(await readAgain(agent)).toMatchObject({ template_name: 'brief', system_prompt: 'Be brief.' });
  expect((await to('nobody-has-this')).status).toBe(404);
});
