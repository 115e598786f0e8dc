import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { acceptInvitation } from '../../identity/invitations/accept-invitation.ts';
import { createMailedToken } from '../../identity/mail/mailed-token-store.ts';
import { emptyTrash, removeGarbage } from '../trash/empty-trash.ts';

let stage: TestStorage;
let project: string;
let folder: string;
let inside: string;
let file: string;
let guest: TestMember;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
  folder = (await stage.newFolder(project, 'folder')).id;
  inside = (await stage.newFolder(project, 'inside', folder)).id;
  file = (await stage.newFile(project, 'file', 'x', `folderId=${inside}`)).id;
  guest = await stage.acme.addMember('guest');
});
afterAll(() => stage.stop());

type Headers = TestMember['headers'];
const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const share = async (path: string, json: object, headers: Headers = stage.owner): Promise<Answer> => {
  const answer = await send('POST', `/api/v1/${path}/shares`, headers, json);
  stage.age();
  return answer;
};
const end = async (id: unknown, headers: Headers = stage.owner): Promise<Answer> => {
  const answer = await send('DELETE', `/api/v1/shares/${String(id)}`, headers);
  stage.age();
  return answer;
};
const statusOf = async (path: string, who: TestMember, method = 'GET', json?: object): Promise<number> =>
  (await send(method, `/api/v1/${path}`, who.headers, json)).status;
let groups = 0;
const newGroup = async (...users: readonly TestMember[]): Promise<number> => {
  const users_to_add = users.map(({ username }) => username);
  const json = { platform_key: stage.acme.key, name: `group ${(groups += 1)}`, users_to_add };
  return (await send('POST', '/dm/api/core/rbac/groups/', stage.owner, json)).json()['id'] as number;
};
const joinGroup = (id: number, who: TestMember, headers: Headers): Promise<Answer> =>
  send('PATCH', `/dm/api/core/rbac/groups/${id}?platform_key=${stage.acme.key}`, headers, {
    users_to_add: [who.username],
  });

describe('POST …/shares', () => {
  test('201: lets a guest read a folder and everything below it, and nothing else, until the share ends', async () => {
    const paths = [`folders/${folder}`, `folders/${inside}`, `files/${file}`, `files/${file}/content`];
    for (const path of paths) expect(await statusOf(path, guest)).toBe(404);
    const shared = await share(`folders/${folder}`, { member: guest.username, level: 'read' });
    expect([shared.status, shared.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(shared.json()).toMatchObject({
      kind: 'folder',
      projectId: project,
      entryId: folder,
      level: 'read',
      member: guest.username,
    });
    for (const path of paths) expect(await statusOf(path, guest)).toBe(200);
    expect(await statusOf(`projects/${project}/children?folderId=${folder}`, guest)).toBe(200);
    expect(await statusOf(`projects/${project}`, guest)).toBe(404);
    expect(await statusOf(`files/${file}`, guest, 'PATCH', { name: 'other' })).toBe(403);
    expect(await statusOf(`files/${file}/shares`, guest)).toBe(403);
    expect(await statusOf(`files/${file}/links`, guest, 'POST', {})).toBe(403);
    expect((await end(shared.json()['id'])).status).toBe(204);
    for (const path of paths) expect(await statusOf(path, guest)).toBe(404);
  });

  test('201: keeps a share when the shared entry moves', async () => {
    const own = await stage.newFolder(project, 'own', folder);
    const inOwn = await stage.newFolder(project, 'in own', own.id);
    const { id } = (await share(`folders/${own.id}`, { member: guest.username, level: 'read' })).json();
    await send('PATCH', `/api/v1/folders/${own.id}`, stage.owner, { folderId: null });
    expect(await statusOf(`folders/${inOwn.id}`, guest)).toBe(200);
    await end(id);
  });

  test('201: replaces an earlier share with the same recipient', async () => {
    const to = { member: guest.username };
    await share(`files/${file}`, { ...to, level: 'write' });
    expect(await statusOf(`files/${file}`, guest, 'PATCH', { name: 'file' })).toBe(200);
    const again = await share(`files/${file}`, { ...to, level: 'read' });
    expect(await statusOf(`files/${file}`, guest, 'PATCH', { name: 'file' })).toBe(403);
    const listed = await send('GET', `/api/v1/files/${file}/shares`, stage.owner);
    expect(listed.json()['data']).toEqual([again.json()]);
    await end(again.json()['id']);
  });

  test('201: limits shares of a manager to their own permissions, also below', async () => {
    const [manager, other] = [await stage.acme.addMember('guest'), await stage.acme.addMember('guest')];
    await share(`folders/${folder}`, { member: manager.username, level: 'manage' });
    const to = { member: other.username };
    expect((await share(`folders/${folder}`, { ...to, level: 'manage' }, manager.headers)).status).toBe(201);
    expect(await statusOf(`files/${file}`, other)).toBe(200);
    const above = await share(`projects/${project}`, { ...to, level: 'read' }, manager.headers);
    expectProblem(above, 404, 'not_found');
    // Their permission is on the descendants of the folder, not on the file's own path, which survives moves.
    const below = await share(`files/${file}`, { ...to, level: 'read' }, manager.headers);
    expectProblem(below, 403, 'permission_escalation');
  });

  test('201: shares a project for writing with a group', async () => {
    const member = await stage.acme.addMember('guest');
    const { id: own } = await stage.newProject();
    const group = await newGroup(member);
    const shared = await share(`projects/${own}`, { group, level: 'write' });
    expect(shared.json()).toMatchObject({ kind: 'project', entryId: null, group: { id: group } });
    expect(await statusOf(`projects/${own}`, member)).toBe(200);
    expect(await statusOf(`projects/${own}/folders`, member, 'POST', { name: 'made' })).toBe(201);
    expect((await stage.store(own, 'name=stored', 'x', member.headers)).status).toBe(201);
    expect(await statusOf(`projects/${own}`, member, 'PATCH', { name: 'x' })).toBe(403);
    const listed = await send('GET', `/api/v1/shares?organization=${stage.acme.key}`, member.headers);
    expect(listed.json()['data']).toEqual([shared.json()]);
  });

  test('400: for no recipient, two recipients, non-members, and unknown groups and levels', async () => {
    const group = await newGroup();
    const path = `files/${file}`;
    const { username: stranger } = (await stage.createOrganization()).owner;
    for (const to of [{}, { member: guest.username, group }, { member: stranger }, { group: 9_999 }])
      expectProblem(await share(path, { level: 'read', ...to }), 400, 'invalid_request');
    const level = await share(path, { member: guest.username, level: 'own' });
    expectProblem(level, 400, 'invalid_request');
  });

  test('401 without a credential', async () => {
    expectProblem(await share(`files/${file}`, { member: 'x', level: 'read' }, {}), 401, 'unauthenticated');
  });

  test('403 with permission to read but not to share, and for more permissions than the caller has', async () => {
    const to = { member: guest.username };
    const path = `files/${file}`;
    const viewer = await share(path, { ...to, level: 'read' }, stage.viewer.headers);
    expectProblem(viewer, 403, 'forbidden');
    const sharer = await stage.acme.addMember('viewer');
    const { key } = stage.acme;
    const resources = [`/organizations/${key}/projects/**`];
    const policy = {
      platform_key: key,
      name: 'sharing',
      actions: ['Daybook.Storage/Shares/create'],
      resources,
    };
    const { id } = (await send('POST', '/dm/api/core/rbac/policies/', stage.owner, policy)).json();
    const group = {
      platform_key: key,
      name: 'sharers',
      users_to_add: [sharer.username],
      policies_to_add: [id],
    };
    await send('POST', '/dm/api/core/rbac/groups/', stage.owner, group);
    stage.age();
    expectProblem(await share(path, { ...to, level: 'write' }, sharer.headers), 403, 'permission_escalation');
    const reading = await share(path, { ...to, level: 'read' }, sharer.headers);
    expect(reading.status).toBe(201);
    // Replacing a share ends it, which is another permission.
    expectProblem(await share(path, { ...to, level: 'read' }, sharer.headers), 403, 'forbidden');
    await end(reading.json()['id']);
  });

  test('404: for non-members, guests, unknown entries and the other kind', async () => {
    const to = { member: guest.username, level: 'read' };
    for (const headers of [stage.stranger, guest.headers])
      expectProblem(await share(`files/${file}`, to, headers), 404, 'not_found');
    for (const path of [`files/${nowhere}`, 'files/x', `folders/${file}`, `projects/${nowhere}`])
      expectProblem(await share(path, to), 404, 'not_found');
  });

  test('409: for more than two hundred', async () => {
    const { id } = await stage.newFile(project, 'crowded', 'x');
    await stage.database.asSuperuser(
      `WITH made AS (
         INSERT INTO access.user_group (organization_id, id, name, created_at, updated_at)
         SELECT $1, 100000 + number, 'crowd ' || number, now(), now() FROM generate_series(1, 200) AS number
         RETURNING id)
       INSERT INTO access.share (id, organization_id, resource, level, actions, resources, group_id, created_by, created_at)
       SELECT gen_random_uuid(), $1, $2, 'read', '{a}', '{b}', made.id, $3, now() FROM made`,
      [
        stage.acme.id,
        `/organizations/${stage.acme.key}/projects/${project}/files/${id}`,
        stage.acme.owner.id,
      ],
    );
    expectProblem(await share(`files/${id}`, { member: guest.username, level: 'read' }), 409, 'conflict');
  });

  test('413 and 415: for a body that is too large, or of another type', async () => {
    const large = await share(`files/${file}`, { member: 'x'.repeat(70_000), level: 'read' });
    expectProblem(large, 413, 'payload_too_large');
    const headers = { ...stage.owner, 'content-type': 'text/csv' };
    const path = `/api/v1/files/${file}/shares`;
    const csv = await ask(stage.app.port, path, { method: 'POST', headers, body: 'a' });
    expectProblem(csv, 415, 'unsupported_media_type');
  });
});

describe('a share with an address', () => {
  const accept = async (shared: Answer): Promise<TestMember> => {
    const { database, clock } = stage.identity;
    const sql = 'SELECT invitation_id FROM access.share WHERE id = $1';
    const [row] = await stage.database.asSuperuser(sql, [shared.json()['id']]);
    const id = String(row?.['invitation_id']);
    const token = await createMailedToken(database, 'join_organization', id, clock.now());
    const account = await stage.createAccount();
    const client = { address: '192.0.2.1', userAgent: 'test' };
    await acceptInvitation(stage.identity, { token, accountId: account.id, client });
    const { access_token: accessToken } = await stage.signIn(account);
    return { ...account, headers: { authorization: `Bearer ${accessToken}` } };
  };

  test('201: becomes active when its recipient joins as guest, and nothing else does', async () => {
    const { id: other } = await stage.newFile(project, 'not shared', 'x');
    const shared = await share(`files/${file}`, { email: 'Ann@Example.net', level: 'read' });
    expect(shared.json()).toMatchObject({ email: 'Ann@example.net', level: 'read', entryId: file });
    const again = await share(`folders/${inside}`, { email: 'ann@example.net', level: 'read' });
    expect(again.status).toBe(201);
    const mails = "SELECT 1 FROM identity.mail_request WHERE recipient = 'Ann@example.net'";
    expect(await stage.database.asSuperuser(mails, [])).toHaveLength(1);
    const joined = await accept(shared);
    expect(await statusOf(`files/${file}`, joined)).toBe(200);
    expect(await statusOf(`folders/${inside}`, joined)).toBe(200);
    expect(await statusOf(`files/${other}`, joined)).toBe(404);
    const listed = await send('GET', `/api/v1/files/${file}/shares`, stage.owner);
    expect(listed.json()['data']).toMatchObject([{ member: joined.username }]);
  });

  test('survives resending of the invitation, and ends when it is cancelled', async () => {
    const shared = await share(`folders/${folder}`, { email: 'bob@example.net', level: 'read' });
    const invitations = '/dm/api/core/rbac/invitations/';
    const again = { platform_key: stage.acme.key, email: 'bob@example.net', role: 'viewer' };
    const sent = await send('POST', invitations, stage.owner, again);
    const rows = () =>
      stage.database.asSuperuser('SELECT invitation_id FROM access.share WHERE id = $1', [
        shared.json()['id'],
      ]);
    expect(await rows()).toEqual([{ invitation_id: sent.json()['id'] }]);
    const path = `${invitations}${String(sent.json()['id'])}?platform_key=${stage.acme.key}`;
    expect((await send('DELETE', path, stage.owner)).status).toBe(204);
    expect(await rows()).toEqual([]);
  });

  test('is deleted if its creator no longer has the permissions', async () => {
    const admin = await stage.acme.addMember('admin');
    const to = { email: 'carl@example.net', level: 'write' };
    await share(`files/${file}`, { email: 'carl@example.net', level: 'read' });
    const shared = await share(`folders/${inside}`, to, admin.headers);
    const path = `/dm/api/core/rbac/members/${admin.username}?platform_key=${stage.acme.key}`;
    expect((await send('PATCH', path, stage.owner, { role: 'viewer' })).status).toBe(200);
    const joined = await accept(shared);
    expect(await statusOf(`files/${file}`, joined)).toBe(200);
    expect(await statusOf(`folders/${inside}`, joined)).toBe(404);
  });

  test('400 and 403: for an invalid address, and with permission to share but not to invite', async () => {
    expectProblem(await share(`files/${file}`, { email: 'x', level: 'read' }), 400, 'invalid_request');
    const member = await stage.acme.addMember('member');
    const to = { email: 'dora@example.net', level: 'read' };
    expectProblem(await share(`files/${file}`, to, member.headers), 403, 'forbidden');
  });

  test('429: for more than five mails an hour to an address', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const shared = await share(`files/${file}`, { email: 'eve@example.net', level: 'read' });
      statuses.push(shared.status);
      const sql = "UPDATE identity.invitation SET cancelled_at = now() WHERE email = 'eve@example.net'";
      await stage.database.asSuperuser(sql, []);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});

describe('shares of a group', () => {
  test('403: for adding others to a group with more permissions than the caller has', async () => {
    const group = await newGroup();
    await share(`folders/${folder}`, { group, level: 'manage' });
    const keeper = await stage.acme.addMember('viewer');
    const { key } = stage.acme;
    const resources = [`/organizations/${key}/groups/**`];
    const policy = { platform_key: key, name: 'keeping', actions: ['Daybook.Core/Groups/*'], resources };
    const { id } = (await send('POST', '/dm/api/core/rbac/policies/', stage.owner, policy)).json();
    const keepers = {
      platform_key: key,
      name: 'keepers',
      users_to_add: [keeper.username],
      policies_to_add: [id],
    };
    await send('POST', '/dm/api/core/rbac/groups/', stage.owner, keepers);
    stage.age();
    expectProblem(await joinGroup(group, guest, keeper.headers), 403, 'permission_escalation');
    expect((await joinGroup(group, guest, stage.owner)).status).toBe(200);
    stage.age();
    expect(await statusOf(`files/${file}`, guest)).toBe(200);
  });
});

describe('GET …/shares', () => {
  test('200: lists shares with cursors, to viewers too', async () => {
    const { id } = await stage.newFile(project, 'listed', 'x');
    const ids: unknown[] = [];
    for (const group of [await newGroup(), await newGroup()]) {
      ids.unshift((await share(`files/${id}`, { group, level: 'read' })).json()['id']);
    }
    const path = `/api/v1/files/${id}/shares?limit=1`;
    const first = await send('GET', path, stage.viewer.headers);
    const idsOf = (answer: Answer) => (answer.json()['data'] as { id: string }[]).map((one) => one.id);
    const { nextCursor, hasMore } = first.json()['pagination'] as { nextCursor: string; hasMore: boolean };
    const second = await send('GET', `${path}&cursor=${nextCursor}`, stage.owner);
    expect([idsOf(first), hasMore, idsOf(second)]).toEqual([[ids[0]], true, [ids[1]]]);
    expectProblem(await send('GET', `${path}&cursor=x`, stage.owner), 400, 'invalid_cursor');
    expectProblem(await send('GET', '/api/v1/shares?cursor=x', stage.owner), 400, 'invalid_cursor');
  });

  test('404: for non-members', async () => {
    for (const path of [
      `files/${file}/shares`,
      `projects/${project}/shares`,
      `shares?organization=${stage.acme.key}`,
    ])
      expectProblem(await send('GET', `/api/v1/${path}`, stage.stranger), 404, 'not_found');
  });
});

describe('DELETE /api/v1/shares/{share}', () => {
  test('401, 403, 404: without a credential, for viewers, for non-members and unknown ids', async () => {
    const { id } = (await share(`files/${file}`, { group: await newGroup(), level: 'read' })).json();
    expectProblem(await end(id, {}), 401, 'unauthenticated');
    expectProblem(await end(id, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await end(id, stage.stranger), 404, 'not_found');
    for (const unknown of [nowhere, 'x']) expectProblem(await end(unknown), 404, 'not_found');
    expect((await end(id)).status).toBe(204);
    expectProblem(await end(id), 404, 'not_found');
  });
});

describe('leftover shares', () => {
  const rowsOf = (id: unknown) =>
    stage.database.asSuperuser('SELECT 1 FROM access.share WHERE id = $1', [id]);

  test('are removed when the member leaves, and when the resource is purged', async () => {
    const leaving = await stage.acme.addMember('guest');
    const { id: own } = await stage.newProject();
    const gone = await stage.newFile(own, 'gone', 'x');
    const to = { member: leaving.username, level: 'read' };
    const byLeaving = (await share(`files/${file}`, to)).json()['id'];
    const group = { group: await newGroup(), level: 'read' };
    const ofFile = (await share(`files/${gone.id}`, group)).json()['id'];
    const ofProject = (await share(`projects/${own}`, group)).json()['id'];
    const path = `/dm/api/core/rbac/members/${leaving.username}?platform_key=${stage.acme.key}`;
    expect((await send('DELETE', path, stage.owner)).status).toBe(204);
    expect(await rowsOf(byLeaving)).toEqual([]);
    await send('DELETE', `/api/v1/projects/${own}`, stage.owner);
    stage.clock.advance({ days: 31 });
    await emptyTrash(stage.upkeep);
    expect([await rowsOf(ofFile), await rowsOf(ofProject)]).toEqual([[], [{ '?column?': 1 }]]);
    stage.clock.advance({ days: 31 });
    await removeGarbage(stage.upkeep);
    await emptyTrash(stage.upkeep);
    expect(await rowsOf(ofProject)).toEqual([]);
  });
});
