import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';

let stage: TestAccess;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true });
});
afterAll(() => stage.stop());

let acme: TestOrganization;
let owner: TestMember;
let cookie: string;
beforeEach(async () => {
  acme = await stage.createOrganization();
  ({ owner } = acme);
  cookie = await signInForCookie(stage, owner);
});

const keys = '/account/api-keys';
const create = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  sendForm(stage, path, { name: 'nightly', currentPassword: owner.password, ...fields }, { cookie });
const secretOf = ({ text }: Answer): string => />([0-9a-f]{64})</.exec(text)?.[1] ?? '';
const createProject = (name: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  stage.send('POST', '/api/v1/projects', headers, { name, organization: acme.key });
const credentialOf = async (secret: string): Promise<unknown> =>
  (await stage.get('/api/v1/me', { 'x-api-key': secret })).json()['credential'];

describe('200', () => {
  test('a key created as read-only is read-only, and its lists say so', async () => {
    const secret = secretOf(await create(keys, { access: 'read_only' }));
    expect((await createProject('New', { 'x-api-key': secret })).status).toBe(403);
    expect((await openPage(stage, keys, cookie)).text).toContain('read only');
    expect((await openPage(stage, '/account/security', cookie)).text).toMatch(
      /nightly<\/span[^>]*>\s*<small[^>]*>read only/,
    );
  });

  test('a key for one organization allows the chosen actions on the chosen project', async () => {
    const project = String((await createProject('Notes', owner.headers)).json()['id']);
    await createProject('Other', owner.headers);
    const path = `${keys}/in/${acme.key}`;
    expect((await openPage(stage, keys, cookie)).text).toContain(`href="${path}"`);
    const chosen = { jobs: 'read-projects', only: 'Notes' };
    const preview = await create(path, { ...chosen, preview: 'yes', name: '', currentPassword: '' });
    expect([preview.status, preview.text]).toEqual([200, expect.stringContaining('This key can')]);
    expect(secretOf(preview)).toBe('');
    const made = await create(path, chosen);
    expect(made.text).toContain('read files, but only');
    const secret = secretOf(made);
    expect(await credentialOf(secret)).toMatchObject({
      scopes: { organizations: [acme.id] },
      permissions: [{ resources: expect.arrayContaining([expect.stringContaining(project)]) }],
    });
    const listed = await stage.get(`/api/v1/projects?organization=${acme.key}`, { 'x-api-key': secret });
    expect((listed.json()['data'] as { name: string }[]).map(({ name }) => name)).toEqual(['Notes']);
    expect((await createProject('New', { 'x-api-key': secret })).status).toBe(403);
  });
});

test('a key for one organization gets actions and projects by area', async () => {
  const project = String((await createProject('Notes', owner.headers)).json()['id']);
  const path = `${keys}/in/${acme.key}`;
  const page = await openPage(stage, path, cookie);
  expect(page.text).toContain(`value="projects/${project}"`);
  expect(page.text).not.toContain('Daybook.Agents/');
  const action = 'Daybook.Storage/Projects/read';
  const made = await create(path, { can: action, on: `projects/${project}` });
  expect(await credentialOf(secretOf(made))).toMatchObject({
    permissions: [{ actions: [action], resources: [`/organizations/${acme.key}/projects/${project}`] }],
  });
  expect((await create(path, { can: 'Daybook.Core/Members/read' })).status).toBe(400);
});

describe('4xx', () => {
  test('an empty choice is 400, a wrong password 401, and an organization of others 404', async () => {
    const path = `${keys}/in/${acme.key}`;
    const chosen = { jobs: 'read-projects' };
    expect((await create(path, {})).status).toBe(400);
    expect((await create(path, { ...chosen, currentPassword: 'not the password' })).status).toBe(401);
    const { key } = await stage.createOrganization();
    expect((await openPage(stage, `${keys}/in/${key}`, cookie)).status).toBe(404);
    expect((await create(`${keys}/in/${key}`, chosen)).status).toBe(404);
    expect((await openPage(stage, keys, cookie)).text).toContain('You have no API keys.');
  });
});
