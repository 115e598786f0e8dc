import { readFile } from 'node:fs/promises';

import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';
import {
  entryActions,
  projectActions,
  shareActions,
  trashActions,
  uploadActions,
  versionActions,
} from '../../../storage/storage-actions.ts';
import { allCapabilities } from './capability-report.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const path = `/platform/${acme.key}/policies`;

/** For repeated fields. */
function sendFields(path: string, fields: URLSearchParams): Promise<Answer> {
  return ask(stage.app.port, path, {
    method: 'POST',
    body: fields.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie: ownerCookie,
    },
  });
}

test('the editor shows before saving what a policy allows and does not allow, and the page of the policy shows the same', async () => {
  const fields = { name: 'Search agents', can: 'Daybook.Agents/Agents/read' };
  const preview = await sendForm(stage, path, { ...fields, preview: 'yes' }, { cookie: ownerCookie });
  expect(preview.status).toBe(200);
  expect(preview.text).toMatch(/This policy allows[^]*<span>list agents<[^]*<span>open agents</);
  expect(preview.text).toMatch(/This policy does not allow[^]*<span>Agents: create agents, /);
  expect(preview.text).toMatch(/<span>any action on Files, Organization, Members, /);
  expect(preview.text).toContain('value="Search agents"');
  expect(preview.text).toContain('>Daybook.Agents/Agents/read</textarea>');
  const before = await openPage(stage, path, ownerCookie);
  expect(before.text).not.toContain('Search agents');
  const made = await sendForm(stage, path, fields, { cookie: ownerCookie });
  const page = await openPage(stage, made.headers.location ?? '', ownerCookie);
  expect(page.text).toContain('<span>list agents</span>');
  expect(page.text).toContain(`/organizations/${acme.key}/agents/**`);
  for (const [sent, fault] of [
    [{ name: 'Nothing' }, 'Select at least one action.'],
    [{ ...fields, name: '' }, 'id="name-fault"'],
  ] as const) {
    const refused = await sendForm(stage, path, sent, { cookie: ownerCookie });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(fault)]);
  }
});

test('a policy as text is previewed and saved as written, and its choices are selected in the lists', async () => {
  const text = {
    name: 'As text',
    as: 'text',
    actions: 'Daybook.Agents/Agents/read',
    resources: `/organizations/${acme.key}/agents\n/organizations/${acme.key}/agents/**`,
  };
  const cookie = ownerCookie;
  const preview = await sendForm(stage, path, { ...text, preview: 'yes' }, { cookie });
  expect(preview.text).toContain('<span>list agents</span>');
  expect(chosenOf(preview.text, 'can')).toEqual(['Daybook.Agents/Agents/read']);
  const wrong = await sendForm(stage, path, { ...text, actions: 'read' }, { cookie });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('id="actions-fault"')]);
  expect((await sendForm(stage, path, text, { cookie })).status).toBe(303);
});

test('a single resource is named in the sentence, and actions on the whole kind are listed as missing', async () => {
  const can = ['Daybook.Core/Policies/update', 'Daybook.Core/Policies/create'];
  const { text } = await sendFields(path, entries({ name: 'One', can, on: ['policies/7'], preview: 'yes' }));
  expect(text).toContain('<span>change policies, but only 7</span>');
  expect(text).toContain('but the selection is limited: create policies.');
  expect(text).toMatch(/does not allow[^]*Policies: [^<]*create policies/);
});

test.each([
  'Daybook.Storage/Uploads/purge',
  'Daybook.Storage/Trash/purge',
  'Daybook.Storage/Projects/purge',
  'Daybook.Storage/Folders/purge',
  'Daybook.Storage/Files/purge',
  'Daybook.Storage/Versions/purge',
  'Daybook.Storage/Shares/create',
])('%s can be selected', async (action) => {
  const { text } = await sendFields(path, entries({ name: action, can: [action], preview: 'yes' }));
  expect(chosenOf(text, 'can')).toEqual([action]);
  expect(text).not.toContain('No actions.');
});

test('the editor and its summary are in Chinese for a person who chose Chinese', async () => {
  const cookie = `${ownerCookie}; ${ownerCookie.split('=')[0]?.replace('session', 'language')}=zh`;
  const { text } = await openPage(stage, `${path}?new=1`, cookie);
  for (const said of ['创建策略', '此策略允许', '此策略不允许', '永久删除文件的历史版本'])
    expect(text).toContain(said);
});

const entries = (fields: Readonly<Record<string, string | readonly string[]>>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
const chosenOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`name="${name}"\\s+value="([^"]*)"\\s+checked`, 'g'))].map(
    ([, value]) => value ?? '',
  );

test('one is picked by area, action and resources, and its page shows the same choices for editing', async () => {
  const cookie = ownerCookie;
  const projects = await Promise.all(
    ['Alpha', 'Beta'].map(async (name) => {
      const made = await sendForm(stage, `/platform/${acme.key}/projects`, { name }, { cookie });
      return made.headers.location?.split('/').at(-1) ?? '';
    }),
  );
  const [alpha = '', beta = ''] = projects;
  const list = await openPage(stage, `${path}?new=1`, cookie);
  for (const area of ['Agents', 'Files', 'Members', 'Tokens', 'Policies', 'Groups', 'Organization'])
    expect(list.text).toContain(`<span class="grow">${area}</span>`);
  expect(list.text).toMatch(new RegExp(`name="on"\\s+value="projects/${alpha}"[^]*?<span>Alpha</span>`));
  const read = 'Daybook.Storage/Files/read';
  const fields = { name: 'By area', can: [read], on: [`projects/${alpha}`] };
  const preview = await sendFields(path, entries({ ...fields, preview: 'yes' }));
  expect(preview.text).toContain('<span>read files, but only “Alpha”</span>');
  const saved = await sendFields(path, entries(fields));
  const page = saved.headers.location ?? '';
  const shown = await openPage(stage, page, cookie);
  expect([chosenOf(shown.text, 'can'), chosenOf(shown.text, 'on')]).toEqual([[read], [`projects/${alpha}`]]);
  const change = {
    name: 'By area, wider',
    can: [read, 'Daybook.Storage/Files/create'],
    on: [`projects/${beta}`],
  };
  const changed = await sendFields(page, entries(change));
  expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('Saved.')]);
  const after = await openPage(stage, page, cookie);
  expect(after.text).toContain('<span>upload files, but only “Beta”</span>');
  expect(after.text).not.toContain('“Alpha”');
  expect(after.text).toContain('By area, wider');
});

test('contradictory choices are refused in a sentence and stay selected', async () => {
  const read = 'Daybook.Agents/Agents/read';
  for (const [fields, fault] of [
    [{ can: [], on: ['projects/1'] }, 'Select at least one action.'],
    [{ can: [read], on: ['projects/1'] }, 'Select at least one action for projects.'],
    [{ can: ['Daybook.**'] }, 'Select at least one action.'],
    [{ can: [read, 'Daybook.**'] }, 'Select an action from the list.'],
  ] as const) {
    const refused = await sendFields(path, entries({ name: 'Odd', ...fields }));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(fault)]);
    const known = fields.can.filter((action) => action === read);
    expect(chosenOf(refused.text, 'can')).toEqual(known);
  }
});

test('a policy with other wildcards is edited as text, not by area', async () => {
  const fields = {
    name: 'Wild',
    as: 'text',
    actions: 'Daybook.Storage/*/read',
    resources: `/organizations/${acme.key}/projects/**`,
  };
  const made = await sendForm(stage, path, fields, { cookie: ownerCookie });
  const { text } = await openPage(stage, made.headers.location ?? '', ownerCookie);
  expect(text).not.toContain('Permissions by area');
  expect(text).toContain('Daybook.Storage/*/read');
});

test('a group with an upload policy lets a viewer upload to that project and to no other', async () => {
  const [one, other] = await Promise.all(
    ['Open', 'Closed'].map(async (name) => {
      const made = await sendForm(stage, `/platform/${acme.key}/projects`, { name }, { cookie: ownerCookie });
      return made.headers.location?.split('/').at(-1) ?? '';
    }),
  );
  const picked = {
    name: 'Into one',
    can: ['Daybook.Storage/Files/create', 'Daybook.Storage/Folders/create', 'Daybook.Storage/Projects/read'],
    on: [`projects/${one}`],
  };
  const saved = await sendFields(path, entries(picked));
  const viewer = await acme.addMember('viewer');
  const folder = (project: string | undefined) =>
    stage.send('POST', `/api/v1/projects/${project}/folders`, viewer.headers, { name: 'f' });
  expect((await folder(one)).status).toBe(403);
  await stage.send('POST', '/dm/api/core/rbac/groups/', acme.owner.headers, {
    platform_key: acme.key,
    name: 'Uploaders',
    users_to_add: [viewer.username],
    policies_to_add: [Number(saved.headers.location?.split('/').at(-1))],
  });
  stage.age();
  expect([(await folder(one)).status, (await folder(other)).status]).toEqual([201, 403]);
});

test('the sentences describe every action of storage', () => {
  const { update: _unused, ...usedShareActions } = shareActions;
  const groups = [
    projectActions,
    ...Object.values(entryActions),
    trashActions,
    uploadActions,
    versionActions,
  ];
  const actions = [...groups, usedShareActions].flatMap((of) => Object.values(of));
  const known = new Set(allCapabilities.map(({ action }) => action.text));
  expect(actions.map(({ text }) => text).filter((text) => !known.has(text))).toEqual([]);
});

test('the guide lists every action', async () => {
  const guidePath = new URL('../../../../../../docs/guides/platform-api.md', import.meta.url);
  const guide = await readFile(guidePath, 'utf8');
  const lines = allCapabilities.map(({ action, words }) => `| \`${action.text}\` | ${words} |`);
  expect(lines.filter((line) => !guide.includes(line))).toEqual([]);
});
