import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { insertMemberships } from '../../identity/organizations/organization-store.ts';

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  admin = await acme.addMember('admin');
});
afterAll(() => stage.stop());

const path = '/dm/api/core/rbac/members/';
const list = (who: TestMember, query = '', { key } = acme): Promise<Answer> =>
  stage.send('GET', `${path}?platform_key=${key}${query}`, who.headers);
const change = (who: TestMember, username: string, role: unknown, { key } = acme): Promise<Answer> =>
  stage.send('PATCH', `${path}${username}?platform_key=${key}`, who.headers, { role });
const remove = (who: TestMember, username: string, { key } = acme): Promise<Answer> =>
  stage.send('DELETE', `${path}${username}?platform_key=${key}`, who.headers);
const me = async ({ headers }: TestMember): Promise<Record<string, unknown>> =>
  (await stage.send('GET', '/api/v1/me', headers)).json()['user'] as Record<string, unknown>;
const roleOf = async ({ headers }: TestMember): Promise<unknown> =>
  ((await stage.send('GET', '/api/v1/me', headers)).json()['user'] as Record<string, unknown>)['role'];

describe('200', () => {
  test('lists members with their roles in pages, to every member', async () => {
    const organization = await stage.createOrganization();
    stage.clock.advance({ seconds: 1 });
    const viewer = await organization.addMember('viewer');
    const first = (await list(viewer, '&limit=1', organization)).json();
    expect(first['data']).toEqual([
      {
        id: viewer.id,
        username: viewer.username,
        name: expect.any(String),
        role: 'viewer',
        groups: [],
        createdAt: new Date(stage.clock.nowMs()).toISOString().replace('Z', '000Z'),
        lastSeenAt: new Date(stage.clock.nowMs()).toISOString().replace('Z', '000Z'),
      },
    ]);
    const { nextCursor } = first['pagination'] as { nextCursor: string };
    const second = (await list(viewer, `&limit=5&cursor=${nextCursor}`, organization)).json();
    expect(second['data']).toMatchObject([{ username: organization.owner.username, role: 'owner' }]);
  });

  test('shows the groups of a member that the caller may read, and finds members by name or username', async () => {
    const organization = await stage.createOrganization();
    const [member, viewer] = [await organization.addMember('member'), await organization.addMember('viewer')];
    await stage.send('POST', '/dm/api/core/rbac/groups/', organization.owner.headers, {
      platform_key: organization.key,
      name: 'team',
      users_to_add: [member.username],
    });
    const search = `&query=${member.username.toUpperCase()}`;
    const seen = (await list(organization.owner, search, organization)).json()['data'];
    expect(seen).toMatchObject([{ username: member.username, groups: [{ id: 1, name: 'team' }] }]);
    expect((await list(viewer, search, organization)).json()['data']).toMatchObject([{ groups: [] }]);
    expect((await list(viewer, '&query=%25', organization)).json()['data']).toEqual([]);
  });

  test('updates last seen when a member acts here themselves, to five minutes', async () => {
    const organization = await stage.createOrganization();
    const member = await organization.addMember('viewer');
    const seen = async (): Promise<unknown> =>
      (
        (await list(organization.owner, `&query=${member.username}`, organization)).json()['data'] as {
          lastSeenAt: string | null;
        }[]
      )[0]?.lastSeenAt;
    expect(await seen()).toBe(null);
    const at = (): string => new Date(stage.clock.nowMs()).toISOString().replace('Z', '000Z');
    const first = at();
    await list(member, '', organization);
    expect(await seen()).toBe(first);
    stage.clock.advance({ seconds: 299 });
    await list(member, '', organization);
    expect(await seen()).toBe(first);
    stage.clock.advance({ seconds: 1 });
    await list(member, '', organization);
    expect(await seen()).toBe(at());
  });

  test('lets an admin make a member a viewer and a viewer an admin; workspaces follow', async () => {
    const member = await acme.addMember('member');
    const answer = await change(admin, member.username, 'viewer');
    expect([answer.status, answer.json()['role']]).toEqual([200, 'viewer']);
    expect((await change(admin, member.username, 'admin')).status).toBe(200);
    const rows = await stage.database.asSuperuser(
      `SELECT role FROM identity.workspace_membership JOIN identity.workspace ON id = workspace_id
       WHERE account_id = $1 AND organization_id = $2`,
      [member.id, acme.id],
    );
    expect(rows).toEqual([{ role: 'admin' }]);
  });

  test('applies a new role on every surface within a second', async () => {
    const organization = await stage.createOrganization();
    const second = await organization.addMember('owner');
    expect(await roleOf(organization.owner)).toBe('owner');
    await change(second, organization.owner.username, 'viewer', organization);
    stage.age();
    expect(await roleOf(organization.owner)).toBe('viewer');
    expectProblem(
      await change(organization.owner, second.username, 'viewer', organization),
      403,
      'forbidden',
    );
  });

  test('lets an owner step down if another owner remains', async () => {
    const organization = await stage.createOrganization();
    await organization.addMember('owner');
    expect(
      (await change(organization.owner, organization.owner.username, 'member', organization)).status,
    ).toBe(200);
  });
});

describe('204', () => {
  test('refuses a removed member on every surface within a second, and restores no groups after a return', async () => {
    const organization = await stage.createOrganization();
    const member = await organization.addMember('admin');
    const groups = '/dm/api/core/rbac/groups/';
    const group = await stage.send('POST', groups, organization.owner.headers, {
      platform_key: organization.key,
      name: 'team',
      users_to_add: [member.username],
    });
    expect((await list(member, '', organization)).status).toBe(200);
    expect((await remove(organization.owner, member.username, organization)).status).toBe(204);
    stage.age();
    expectProblem(await list(member, '', organization), 404, 'not_found');
    expect((await me(member))['organizationId']).not.toBe(organization.id);
    const left = await stage.database.asSuperuser(
      `SELECT 1 FROM identity.workspace_membership JOIN identity.workspace ON id = workspace_id
       WHERE account_id = $1 AND organization_id = $2`,
      [member.id, organization.id],
    );
    expect(left).toEqual([]);
    const read = await stage.send(
      'GET',
      `${groups}${String(group.json()['id'])}?platform_key=${organization.key}`,
      organization.owner.headers,
    );
    expect(read.json()['users']).toEqual([]);
  });

  test('ends the tokens of a removed member in both modes, and keeps all others', async () => {
    const organization = await stage.createOrganization();
    const member = await organization.addMember('admin');
    const tokens = '/dm/api/core/platform/api-tokens/';
    const issue = async (who: TestMember, mode: string): Promise<TestMember> => {
      const answer = await stage.send('POST', tokens, who.headers, {
        username: who.username,
        name: `${who.username} ${mode}`,
        platform_key: organization.key,
        created: '2026-11-15T00:00:00Z',
        expires: '',
        mode,
      });
      expect(answer.status).toBe(201);
      return { ...who, headers: { authorization: `Api-Token ${String(answer.json()['key'])}` } };
    };
    const ending = [await issue(member, 'owner'), await issue(member, 'token_policies')];
    const staying = await issue(organization.owner, 'owner');
    for (const token of ending) expect((await list(token, '', organization)).status).not.toBe(401);
    expect((await remove(organization.owner, member.username, organization)).status).toBe(204);
    stage.age();
    for (const token of ending) expectProblem(await list(token, '', organization), 401, 'unauthenticated');
    expect((await list(staying, '', organization)).status).toBe(200);
  });

  test('lets every member leave, whatever their role, but not through a token', async () => {
    const organization = await stage.createOrganization();
    for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
      const member = await organization.addMember(role);
      expect((await remove(member, member.username, organization)).status).toBe(204);
    }
    const viewer = await organization.addMember('member');
    const { key } = (
      await stage.send('POST', '/dm/api/core/platform/api-tokens/', viewer.headers, {
        username: viewer.username,
        name: 'own',
        platform_key: organization.key,
        created: '2026-11-15T00:00:00Z',
        expires: '',
      })
    ).json() as { key: string };
    const token = { ...viewer, headers: { authorization: `Api-Token ${key}` } };
    expectProblem(await remove(token, viewer.username, organization), 403, 'forbidden');
  });

  test('creates an organization for a member without another one, also if the key is taken', async () => {
    const organization = await stage.createOrganization();
    const member = await organization.addMember('member');
    const { own } = await onlyMembership(member, organization);
    await stage.database.asSuperuser('UPDATE identity.organization SET key = $1 WHERE id = $2', [
      member.username,
      own,
    ]);
    expect((await remove(organization.owner, member.username, organization)).status).toBe(204);
    stage.age();
    const { organizationId, role, workspaces } = await me(member);
    expect([role, workspaces]).toEqual(['owner', [expect.objectContaining({ role: 'owner' })]]);
    const [row] = await stage.database.asSuperuser('SELECT key FROM identity.organization WHERE id = $1', [
      organizationId,
    ]);
    expect(row?.['key']).toMatch(new RegExp(`^${member.username}-[0-9a-z]{6}$`));
  });

  test('leaves one organization to an account that is removed from two at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await stage.createOrganization(), await stage.createOrganization()];
      const member = await one.addMember('member');
      await onlyMembership(member, one);
      await insertMemberships(stage.identity.database, {
        accountId: member.id,
        organizationId: other.id,
        role: 'member',
        createdAt: stage.clock.now(),
      });
      const removals = [one, other].map((from) => remove(from.owner, member.username, from));
      expect((await Promise.all(removals)).map(({ status }) => status)).toEqual([204, 204]);
      stage.age();
      expect((await me(member))['role']).toBe('owner');
    }
  });
});

/** Leaves the account's first organization, so that this one is its only one. */
async function onlyMembership(member: TestMember, { id }: TestOrganization): Promise<{ own: unknown }> {
  const [row] = await stage.database.asSuperuser(
    `DELETE FROM identity.organization_membership WHERE account_id = $1 AND organization_id <> $2
     RETURNING organization_id`,
    [member.id, id],
  );
  await stage.database.asSuperuser(
    `DELETE FROM identity.workspace_membership USING identity.workspace
     WHERE workspace.id = workspace_id AND account_id = $1 AND organization_id <> $2`,
    [member.id, id],
  );
  await stage.database.asSuperuser('UPDATE identity.account SET organization_id = $2 WHERE id = $1', [
    member.id,
    id,
  ]);
  return { own: row?.['organization_id'] };
}

describe('400', () => {
  test.each(['root', '', null])('%j is no role', async (role) => {
    expectProblem(await change(admin, admin.username, role), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    expectProblem(await stage.send('GET', `${path}?platform_key=${acme.key}`, {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses role changes by members', async () => {
    const member = await acme.addMember('member');
    expectProblem(await change(member, member.username, 'viewer'), 403, 'forbidden');
  });

  test('role change: refuses an admin who creates or changes an owner', async () => {
    const refused = await change(admin, admin.username, 'owner');
    const { errors } = expectProblem(refused, 403, 'permission_escalation') as {
      errors: { message: string }[];
    };
    expect(errors.map(({ message }) => message)).toContain(`Daybook.** on /organizations/${acme.key}`);
    expectProblem(await change(admin, acme.owner.username, 'viewer'), 403, 'permission_escalation');
  });

  test('removal: refuses members, and admins who remove an owner', async () => {
    const member = await acme.addMember('member');
    expectProblem(await remove(member, admin.username), 403, 'forbidden');
    expectProblem(await remove(admin, acme.owner.username), 403, 'permission_escalation');
  });
});

describe('404', () => {
  test('returns 404 for an unknown name, a member of another organization, and another organization', async () => {
    const other = await stage.createOrganization();
    expectProblem(await change(admin, 'nobody', 'viewer'), 404, 'not_found');
    expectProblem(await change(admin, other.owner.username, 'viewer'), 404, 'not_found');
    expectProblem(await change(other.owner, admin.username, 'viewer'), 404, 'not_found');
    expectProblem(await list(other.owner), 404, 'not_found');
    expectProblem(await remove(admin, 'nobody'), 404, 'not_found');
    expectProblem(await remove(admin, other.owner.username), 404, 'not_found');
    expectProblem(await remove(other.owner, admin.username), 404, 'not_found');
  });
});

describe('409', () => {
  test('keeps the last owner', async () => {
    expectProblem(await change(acme.owner, acme.owner.username, 'admin'), 409, 'conflict');
    expect((await change(acme.owner, acme.owner.username, 'owner')).status).toBe(200);
    expectProblem(await remove(acme.owner, acme.owner.username), 409, 'conflict');
  });
});
