import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
let agentId = '';
beforeAll(async () => {
  const body = { template_name: 'briefing', new_mentor_name: 'Briefer' };
  const mentors = `/dm/api/ai-mentor/orgs/${acme.key}/users/${acme.owner.username}`;
  const made = await stage.send('POST', `${mentors}/mentor-with-settings/`, acme.owner.headers, body);
  agentId = String(made.json()['unique_id']);
});
afterAll(() => stage.stop());

const pathOf = (rest: string): string => `/platform/${acme.key}/${rest}`;
const open = async (rest: string, cookie = ownerCookie): Promise<string> =>
  (await openPage(stage, pathOf(rest), cookie)).text;
const submit = (rest: string, fields: Readonly<Record<string, string>>, cookie = ownerCookie) =>
  sendForm(stage, pathOf(rest), fields, { cookie });

describe('schedules', () => {
  const typed = {
    name: 'Morning <briefing>',
    question: 'What did Veltrane announce?',
    repeats: 'weekly-2',
    hour: '7',
    time_zone: 'Europe/Berlin',
    deliver_to: 'mail',
  };

  test('are created, listed with their next run, and ended after a question', async () => {
    const here = `agents/${agentId}/schedules`;
    expect(await open(`agents/${agentId}`)).toContain(`${agentId}/schedules"`);
    expect(await open(here)).toContain('No schedules yet.');
    const created = await submit(here, typed);
    expect([created.status, created.headers['location']]).toEqual([303, pathOf(here)]);
    const page = await open(here);
    expect(page).toMatch(/Morning &[^;]+;briefing&[^;]+;/u);
    expect(page).toContain('Every Tuesday, 07:00 (Europe/Berlin)');
    expect(page).toContain('2026-11-17 07:00');
    const all = await open('schedules');
    const [, remove = ''] = /href="([^"]+\/remove)"/u.exec(all) ?? [];
    const question = await openPage(stage, remove, ownerCookie);
    expect(question.text).toContain('End the schedule “Morning ');
    expect((await sendForm(stage, remove, {}, { cookie: ownerCookie })).status).toBe(303);
    expect(await open('schedules')).toContain('No schedules yet.');
  });

  test('show a refused form again with what was typed and why', async () => {
    const refused = await submit(`agents/${agentId}/schedules`, { ...typed, time_zone: 'Mars/Olympus' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="Mars/Olympus"');
    expect(refused.text).toContain('such as Europe/Berlin');
  });
});

describe('budgets', () => {
  test('are set, changed and removed, with the usage of the present periods', async () => {
    expect(await open('agent-budgets')).toContain('No budgets yet.');
    const set = (fields: object) =>
      submit('agent-budgets', { whose: 'organization', period: 'day', tokens: '', money: '', ...fields });
    expect((await set({ tokens: '200000', money: '0.50' })).status).toBe(303);
    const page = await open('agent-budgets');
    expect(page).toContain('200,000');
    expect(page).toContain('0 of 200,000');
    expect(page).toContain('0.00 of 0.50');
    expect((await set({ money: '5' })).status).toBe(303);
    expect(await open('agent-budgets')).not.toContain('200,000');
    expect((await set({ whose: `agent:${agentId}`, tokens: '1000' })).status).toBe(303);
    expect(await open('agent-budgets')).toContain('Agent: Briefer');
    const empty = await set({});
    expect([empty.status, empty.text.includes('is required unless you enter a cost limit')]).toEqual([
      400,
      true,
    ]);
    for (const whose of ['organization', `agent:${agentId}`])
      expect((await set({ whose, remove: 'yes' })).status).toBe(303);
    expect(await open('agent-budgets')).toContain('No budgets yet.');
  });

  test('are shown to members, who cannot change them', async () => {
    const cookie = await signInForCookie(stage, await acme.addMember('member'));
    expect(await open('agent-budgets', cookie)).not.toContain('Save budget');
    const refused = await submit('agent-budgets', { whose: 'member', period: 'day', tokens: '1' }, cookie);
    expect(refused.status).toBe(403);
  });
});
