import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
beforeAll(async () => {
  stage = await startTestAccess();
});
afterAll(() => stage.stop());

type Headers = Readonly<Record<string, string>>;
let acme: TestOrganization;
let owner: TestMember;
let project: string;
let file: string;
beforeEach(async () => {
  acme = await stage.createOrganization();
  ({ owner } = acme);
  project = await createProject('Notes');
  file = await storeFile(owner.headers, 'a.txt');
});

async function createProject(name: string): Promise<string> {
  const made = await stage.send('POST', '/api/v1/projects', owner.headers, { name, organization: acme.key });
  return String(made.json()['id']);
}

const upload = (headers: Headers, name: string, into = project): Promise<Answer> =>
  ask(stage.app.port, `/api/v1/projects/${into}/files?name=${name}`, {
    method: 'POST',
    body: 'content',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  });
const storeFile = async (headers: Headers, name: string): Promise<string> =>
  String((await upload(headers, name)).json()['id']);

async function keyOf(permissions?: unknown, { headers } = owner): Promise<Headers> {
  const asked = { name: 'a key', ...(permissions !== undefined && { permissions }) };
  const made = await stage.send('POST', '/api/v1/api-keys', headers, asked);
  expect(made.status).toBe(201);
  return { 'x-api-key': String(made.json()['key']) };
}

const permission = (actions: readonly string[], ...rests: readonly string[]) => ({
  actions,
  resources: rests.map((rest) => `/organizations/${acme.key}${rest}`),
});

/** One request of each kind; reading first. */
async function requests(headers: Headers): Promise<Readonly<Record<string, number>>> {
  const own = await stage.send('POST', '/api/v1/uploads', owner.headers, {
    projectId: project,
    name: 'waiting.txt',
    size: 7,
  });
  expect(own.status).toBe(201);
  const asked: Readonly<Record<string, () => Promise<Answer>>> = {
    'list projects': () => stage.get(`/api/v1/projects?organization=${acme.key}`, headers),
    'read a file': () => stage.get(`/api/v1/files/${file}/content`, headers),
    'list shares': () => stage.get(`/api/v1/shares?organization=${acme.key}`, headers),
    'read the usage': () => stage.get(`/api/v1/usage?organization=${acme.key}`, headers),
    'create a project': () =>
      stage.send('POST', '/api/v1/projects', headers, { name: 'New', organization: acme.key }),
    'rename a file': () => stage.send('PATCH', `/api/v1/files/${file}`, headers, { name: 'b.txt' }),
    'upload a file': () => upload(headers, 'c.txt'),
    'share a file': () => stage.send('POST', `/api/v1/files/${file}/links`, headers, {}),
    'abandon an upload': () => stage.send('DELETE', `/api/v1/uploads/${String(own.json()['id'])}`, headers),
    'delete a file': () => stage.send('DELETE', `/api/v1/files/${file}`, headers),
  };
  const found: Record<string, number> = {};
  for (const [name, request] of Object.entries(asked)) found[name] = (await request()).status;
  return found;
}

describe('a key', () => {
  test('without permissions has every permission of its owner', async () => {
    const statuses = Object.values(await requests(await keyOf()));
    expect(statuses.every((status) => status < 300)).toBe(true);
  });

  test('that is read-only reads everything and changes nothing', async () => {
    expect(await requests(await keyOf('read_only'))).toEqual({
      'list projects': 200,
      'read a file': 200,
      'list shares': 200,
      'read the usage': 200,
      'create a project': 403,
      'rename a file': 403,
      'upload a file': 403,
      'share a file': 403,
      'abandon an upload': 403,
      'delete a file': 403,
    });
  });

  test('with named permissions has exactly these', async () => {
    const headers = await keyOf([
      permission(
        ['Daybook.Storage/Projects/read', 'Daybook.Storage/Files/create'],
        `/projects/${project}`,
        `/projects/${project}/**`,
      ),
    ]);
    const other = await createProject('Other');
    expect(await requests(headers)).toEqual({
      'list projects': 200,
      'read a file': 404,
      'list shares': 403,
      'read the usage': 403,
      'create a project': 403,
      'rename a file': 404,
      'upload a file': 201,
      'share a file': 404,
      'abandon an upload': 204,
      'delete a file': 404,
    });
    const listed = (await stage.get(`/api/v1/projects?organization=${acme.key}`, headers)).json();
    expect((listed['data'] as { id: string }[]).map(({ id }) => id)).toEqual([project]);
    expect((await upload(headers, 'd.txt', other)).status).toBe(404);
  });

  test('grants no more than its owner has, and loses permissions with its owner', async () => {
    const viewer = await acme.addMember('viewer');
    const everything = permission(['Daybook.**'], '', '/**');
    const headers = await keyOf([everything], viewer);
    expect((await stage.get(`/api/v1/files/${file}/content`, headers)).status).toBe(200);
    expect((await upload(headers, 'e.txt')).status).toBe(403);
    await stage.send(
      'DELETE',
      `/dm/api/core/rbac/members/${viewer.username}?platform_key=${acme.key}`,
      owner.headers,
    );
    stage.age();
    expectProblem(await stage.get(`/api/v1/files/${file}/content`, headers), 404, 'not_found');
  });

  test('with permissions in one organization has none in the others of its owner', async () => {
    const other = await stage.createOrganization();
    await stage.database.asSuperuser(
      `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
       VALUES ($1, $2, 'owner', now())`,
      [other.id, owner.id],
    );
    const headers = await keyOf([permission(['Daybook.**'], '', '/**')]);
    const listed = await stage.get(`/api/v1/projects?organization=${other.key}`, headers);
    expect([listed.status, (listed.json() as { data?: unknown[] }).data]).toEqual([200, []]);
    expect((await stage.get(`/api/v1/usage?organization=${other.key}`, headers)).status).toBe(403);
  });

  test('cannot share more than its own permissions', async () => {
    const member = await acme.addMember('member');
    const headers = await keyOf([
      permission(['Daybook.Storage/*/read', 'Daybook.Storage/Shares/create'], '/projects', '/projects/**'),
    ]);
    const share = (level: string): Promise<Answer> =>
      stage.send('POST', `/api/v1/projects/${project}/shares`, headers, {
        member: member.username,
        level,
      });
    expectProblem(await share('write'), 403, 'permission_escalation');
    expect((await share('read')).status).toBe(201);
  });
});
