import { readFile } from 'node:fs/promises';

import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';
import { entryActions, projectActions } from '../../../storage/storage-actions.ts';
import { allCapabilities } from './capability-report.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const agentForm = (new_mentor_name: string) => ({ template_name: 'ai-mentor', new_mentor_name });

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

test('one is picked from jobs, previewed in sentences before it is saved, and shown so on its page', async () => {
  const picked = `/platform/${acme.key}/policies/picked`;
  const fields = { name: 'Search agents', jobs: 'read-agents', only: '' };
  const preview = await sendForm(stage, picked, { ...fields, preview: 'yes' }, { cookie: ownerCookie });
  expect(preview.status).toBe(200);
  expect(preview.text).toMatch(
    /A member or token with this policy can[^]*<li>list agents<[^]*<li>open agents</,
  );
  expect(preview.text).toMatch(/actions not allowed[^]*<li>create agents</);
  expect(preview.text).toContain('value="Search agents"');
  const before = await openPage(stage, `/platform/${acme.key}/policies`, ownerCookie);
  expect(before.text).not.toContain('Search agents');
  const made = await sendForm(stage, picked, fields, { cookie: ownerCookie });
  const page = await openPage(stage, made.headers.location ?? '', ownerCookie);
  expect(page.text).toContain('<li>list agents</li>');
  expect(page.text).toContain(`/organizations/${acme.key}/agents/**`);
  for (const [sent, fault] of [
    [{ ...fields, jobs: 'none' }, 'Select at least one permission.'],
    [{ ...fields, name: '' }, 'id="name-fault"'],
  ] as const) {
    const refused = await sendForm(stage, picked, sent, { cookie: ownerCookie });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(fault)]);
  }
});

test('a single resource is named in the sentence, and missing permissions are listed', async () => {
  const fields = { name: 'One', jobs: 'manage-rules', only: '7', preview: 'yes' };
  const cookie = ownerCookie;
  const { text } = await sendForm(stage, `/platform/${acme.key}/policies/picked`, fields, { cookie });
  expect(text).toContain('<li>change policies, but only 7</li>');
  expect(text).toMatch(/actions not allowed[^]*<li>create policies</);
});

test('one is picked for one project by its name; the sentences name it, and list requested but missing permissions', async () => {
  const cookie = ownerCookie;
  const made = await sendForm(stage, `/platform/${acme.key}/projects`, { name: 'Field notes' }, { cookie });
  const project = made.headers.location?.split('/').at(-1) ?? '';
  const picked = `/platform/${acme.key}/policies/picked`;
  const fields = { name: 'Uploading', jobs: 'upload-files', only: 'field NOTES' };
  const preview = await sendForm(stage, picked, { ...fields, preview: 'yes' }, { cookie });
  expect(preview.text).toContain('<li>upload files, but only “Field notes”</li>');
  expect(preview.text).toMatch(/actions not allowed[^]*<li>delete files</);
  expect(preview.text).toContain('It cannot list projects and see storage usage');
  const saved = await sendForm(stage, picked, fields, { cookie });
  const page = await openPage(stage, saved.headers.location ?? '', cookie);
  expect(page.text).toContain(`/organizations/${acme.key}/projects/${project}/**`);
  const refusal = async (only: string, jobs = 'upload-files') =>
    (await sendForm(stage, picked, { ...fields, name: 'Other', jobs, only }, { cookie })).text;
  expect(await refusal('No such project')).toContain('No resource of the selected permissions');
  await sendForm(stage, `/platform/${acme.key}/agents`, agentForm('Field notes'), { cookie });
  const both = new URLSearchParams([
    ['name', 'Other'],
    ['jobs', 'upload-files'],
    ['jobs', 'read-agents'],
    ['only', 'Field notes'],
  ]);
  expect((await sendFields(picked, both)).text).toContain('Several resources have this name');
  both.set('only', project);
  expect((await sendFields(picked, both)).text).toContain('Create a separate policy');
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
  const list = await openPage(stage, `/platform/${acme.key}/policies`, cookie);
  for (const area of ['Agents', 'Projects and files', 'Organization, members and permissions'])
    expect(list.text).toContain(`<summary>${area}</summary>`);
  expect(list.text).toMatch(new RegExp(`name="on"\\s+value="projects/${alpha}"[^]*?<span>Alpha</span>`));
  const read = 'Daybook.Storage/Files/read';
  const fields = { name: 'By area', can: [read], on: [`projects/${alpha}`] };
  const preview = await sendFields(
    `/platform/${acme.key}/policies/picked`,
    entries({ ...fields, preview: 'yes' }),
  );
  expect(preview.text).toContain('<li>read files, but only “Alpha”</li>');
  const saved = await sendFields(`/platform/${acme.key}/policies/picked`, entries(fields));
  const page = saved.headers.location ?? '';
  const shown = await openPage(stage, page, cookie);
  expect([chosenOf(shown.text, 'can'), chosenOf(shown.text, 'on')]).toEqual([[read], [`projects/${alpha}`]]);
  const change = {
    name: 'By area, wider',
    can: [read, 'Daybook.Storage/Files/create'],
    on: [`projects/${beta}`],
  };
  const changed = await sendFields(`${page}/picked`, entries(change));
  expect([changed.status, changed.headers.location]).toEqual([303, page]);
  const after = await openPage(stage, page, cookie);
  expect(after.text).toContain('<li>upload files, but only “Beta”</li>');
  expect(after.text).not.toContain('“Alpha”');
  expect(after.text).toContain('By area, wider');
});

test('contradictory choices are refused in a sentence and stay selected', async () => {
  const picked = `/platform/${acme.key}/policies/picked`;
  const read = 'Daybook.Agents/Agents/read';
  for (const [fields, fault] of [
    [{ can: [], on: ['projects/1'] }, 'Select at least one action.'],
    [{ can: [read], on: ['projects/1'] }, 'Select at least one action for projects.'],
    [{ can: ['Daybook.**'] }, 'Select at least one action.'],
    [{ can: [read, 'Daybook.**'] }, 'Select an action from the list.'],
    [
      { can: [read], jobs: ['read-agents'] },
      'Select either common permissions or permissions by area, not both.',
    ],
  ] as const) {
    const refused = await sendFields(picked, entries({ name: 'Odd', ...fields }));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(fault)]);
    const known = fields.can.filter((action) => action === read);
    expect(chosenOf(refused.text, 'can')).toEqual(known);
  }
});

test('a policy with other wildcards is edited as text, not by area', async () => {
  const fields = {
    name: 'Wild',
    actions: 'Daybook.Storage/*/read',
    resources: `/organizations/${acme.key}/projects/**`,
  };
  const made = await sendForm(stage, `/platform/${acme.key}/policies`, fields, { cookie: ownerCookie });
  const { text } = await openPage(stage, made.headers.location ?? '', ownerCookie);
  expect(text).not.toContain('Permissions by area');
  expect(text).toContain('Daybook.Storage/*/read');
});

test('a group with an upload policy lets a viewer upload to that project and to no other', async () => {
  const [one, other] = await Promise.all(
    ['Open', 'Closed'].map(async (name) => {
      const path = `/platform/${acme.key}/projects`;
      const made = await sendForm(stage, path, { name }, { cookie: ownerCookie });
      return made.headers.location?.split('/').at(-1) ?? '';
    }),
  );
  const picked = { name: 'Into one', jobs: 'upload-files', only: one ?? '' };
  const saved = await sendForm(stage, `/platform/${acme.key}/policies/picked`, picked, {
    cookie: ownerCookie,
  });
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
  const actions = [projectActions, ...Object.values(entryActions)].flatMap((of) => Object.values(of));
  const known = new Set(allCapabilities.map(({ action }) => action.text));
  expect(actions.map(({ text }) => text).filter((text) => !known.has(text))).toEqual([]);
});

test('the guide lists every action', async () => {
  const path = new URL('../../../../../../docs/guides/platform-api.md', import.meta.url);
  const guide = await readFile(path, 'utf8');
  const lines = allCapabilities.map(({ action, words }) => `| \`${action.text}\` | ${words} |`);
  expect(lines.filter((line) => !guide.includes(line))).toEqual([]);
});
