import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { inviteMember } from '../../identity/organizations/invite-member.ts';

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
const roleOf = async ({ headers }: TestMember): Promise<unknown> =>
  ((await stage.send('GET', '/api/v1/me', headers)).json()['user'] as Record<string, unknown>)['role'];

describe('200', () => {
  test('members are listed page by page, with their roles, to every member', async () => {
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
        createdAt: new Date(stage.clock.nowMs()).toISOString(),
      },
    ]);
    const { nextCursor } = first['pagination'] as { nextCursor: string };
    const second = (await list(viewer, `&limit=5&cursor=${nextCursor}`, organization)).json();
    expect(second['data']).toMatchObject([{ username: organization.owner.username, role: 'owner' }]);
  });

  test('an admin makes a member a viewer and a viewer an admin; workspaces follow', async () => {
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

  test('what the new role allows and forbids holds on every surface within a second', async () => {
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

  test('an owner may step down where another stays', async () => {
    const organization = await stage.createOrganization();
    await organization.addMember('owner');
    expect(
      (await change(organization.owner, organization.owner.username, 'member', organization)).status,
    ).toBe(200);
  });
});

describe('400', () => {
  test.each(['root', '', null])('%j is no role', async (role) => {
    expectProblem(await change(admin, admin.username, role), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('without a credential nothing is said', async () => {
    expectProblem(await stage.send('GET', `${path}?platform_key=${acme.key}`, {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('members change no roles', async () => {
    const member = await acme.addMember('member');
    expectProblem(await change(member, member.username, 'viewer'), 403, 'forbidden');
  });

  test('role change: an admin makes no owner, and no owner anything else', async () => {
    const refused = await change(admin, admin.username, 'owner');
    const { errors } = expectProblem(refused, 403, 'permission_escalation') as {
      errors: { message: string }[];
    };
    expect(errors.map(({ message }) => message)).toContain(`Daybook.** on /organizations/${acme.key}`);
    expectProblem(await change(admin, acme.owner.username, 'viewer'), 403, 'permission_escalation');
  });

  test('an invitation gives a role: viewers invite nobody, admins invite admins', async () => {
    const viewer = await acme.addMember('viewer');
    const client = { address: '192.0.2.1', userAgent: 'test' };
    const invite = async (who: TestMember, role: 'admin' | 'viewer'): Promise<unknown> => {
      const { authorization } = who.headers;
      const principal = await stage.identity.authenticator.authenticate({ authorization });
      return inviteMember(stage.identity, {
        principal: principal!,
        organizationId: acme.id,
        email: 'new@example.org',
        role,
        client,
      });
    };
    await expect(invite(viewer, 'viewer')).rejects.toThrow(/forbidden/);
    await expect(invite(admin, 'admin')).resolves.toEqual(expect.any(String));
    await expect(invite(acme.owner, 'viewer')).resolves.toEqual(expect.any(String));
  });
});

describe('404', () => {
  test('nobody of that name, a member of another organization, and another organization', async () => {
    const other = await stage.createOrganization();
    expectProblem(await change(admin, 'nobody', 'viewer'), 404, 'not_found');
    expectProblem(await change(admin, other.owner.username, 'viewer'), 404, 'not_found');
    expectProblem(await change(other.owner, admin.username, 'viewer'), 404, 'not_found');
    expectProblem(await list(other.owner), 404, 'not_found');
  });
});

describe('409', () => {
  test('the last owner stays one', async () => {
    expectProblem(await change(acme.owner, acme.owner.username, 'admin'), 409, 'conflict');
    expect((await change(acme.owner, acme.owner.username, 'owner')).status).toBe(200);
  });
});
