import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
let acme: TestOrganization;
let other: TestOrganization;
let admin: TestMember;
let member: TestMember;
let reading: number;
let ending: number;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  other = await stage.createOrganization();
  admin = await acme.addMember('admin');
  member = await acme.addMember('member');
  reading = await policy('Daybook.Core/Policies/read', '/**', '/policies');
  ending = await policy('Daybook.Core/Organization/delete', '');
});
afterAll(() => stage.stop());

const path = '/dm/api/core/rbac/groups/';
let named = 0;
async function policy(action: string, ...rests: readonly string[]): Promise<number> {
  const answer = await stage.send('POST', '/dm/api/core/rbac/policies/', acme.owner.headers, {
    platform_key: acme.key,
    name: `policy ${(named += 1)}`,
    actions: [action],
    resources: rests.map((rest) => `/organizations/${acme.key}${rest}`),
  });
  return answer.json()['id'] as number;
}
const create = (fields: object = {}, who = admin): Promise<Answer> =>
  stage.send('POST', path, who.headers, {
    platform_key: acme.key,
    name: `group ${(named += 1)}`,
    ...fields,
  });
const made = async (fields: object = {}, who = admin): Promise<number> => {
  const answer = await create(fields, who);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json()['id'] as number;
};
const at = (id: number): string => `${path}${id}?platform_key=${acme.key}`;
const get = (id: number, who = admin): Promise<Answer> => stage.send('GET', at(id), who.headers);
const patch = (id: number, json: unknown, who = admin): Promise<Answer> =>
  stage.send('PATCH', at(id), who.headers, json);
const remove = (id: number, who = admin): Promise<Answer> => stage.send('DELETE', at(id), who.headers);
const policies = (who: TestMember): Promise<Answer> =>
  stage.send('GET', `/dm/api/core/rbac/policies/?platform_key=${acme.key}`, who.headers);

describe('201, 200 and 204', () => {
  test('creates, reads, lists, changes and deletes a group with users and policies', async () => {
    const answer = await create({
      name: 'readers',
      users_to_add: [member.username],
      policies_to_add: [reading],
    });
    const group = {
      id: expect.any(Number),
      name: 'readers',
      users: [member.username],
      temporaryUsers: [],
      policies: [reading],
      createdAt: '2026-11-15T00:00:00.000000Z',
      updatedAt: '2026-11-15T00:00:00.000000Z',
    };
    expect([answer.status, answer.json()]).toEqual([201, group]);
    const id = answer.json()['id'] as number;
    expect((await get(id)).json()).toEqual(group);
    const list = (await stage.send('GET', `${path}?platform_key=${acme.key}`, admin.headers)).json();
    const { users: _users, temporaryUsers: _temporary, policies: _policies, ...listed } = group;
    expect(list['data']).toContainEqual(listed);
    const emptied = await patch(id, {
      name: 'nobody',
      users_to_remove: [member.username],
      policies_to_remove: [reading],
    });
    expect(emptied.json()).toEqual({ ...group, name: 'nobody', users: [], policies: [] });
    expect((await remove(id)).status).toBe(204);
    expectProblem(await get(id), 404, 'not_found');
  });

  test('grants its policies to its users within a second and until they leave it', async () => {
    const reader = await acme.addMember('viewer');
    expectProblem(await policies(reader), 403, 'forbidden');
    const id = await made({ policies_to_add: [reading], users_to_add: [reader.username] });
    stage.age();
    expect((await policies(reader)).status).toBe(200);
    await patch(id, { users_to_remove: [reader.username] });
    stage.age();
    expectProblem(await policies(reader), 403, 'forbidden');
  });

  test('grants its policies to a temporary user until the end, in cached authorities too', async () => {
    const reader = await acme.addMember('viewer');
    const endsAt = '2126-11-16T00:00:00Z';
    const temporary = { temporary_users_to_add: [{ username: reader.username, ends_at: endsAt }] };
    const id = await made({ policies_to_add: [reading], ...temporary });
    expect((await get(id)).json()).toMatchObject({
      users: [reader.username],
      temporaryUsers: [{ username: reader.username, endsAt: '2126-11-16T00:00:00.000000Z' }],
    });
    stage.age();
    expect((await policies(reader)).status).toBe(200);
    // As if the time had passed: the version of the organization stays the same.
    await stage.database.asSuperuser('UPDATE access.group_user SET ends_at = now() WHERE account_id = $1', [
      reader.id,
    ]);
    stage.age();
    expectProblem(await policies(reader), 403, 'forbidden');
    await patch(id, { users_to_add: [reader.username] });
    stage.age();
    expect((await policies(reader)).status).toBe(200);
    expect((await get(id)).json()).toMatchObject({ temporaryUsers: [] });
  });

  test('removes a member who leaves the organization, also after a return', async () => {
    const leaver = await acme.addMember('viewer');
    const id = await made({ policies_to_add: [reading], users_to_add: [leaver.username] });
    stage.age();
    expect((await policies(leaver)).status).toBe(200);
    const membership = [acme.id, leaver.id];
    await stage.database.asSuperuser(
      'DELETE FROM identity.organization_membership WHERE organization_id = $1 AND account_id = $2',
      membership,
    );
    stage.age();
    expectProblem(await policies(leaver), 404, 'not_found');
    await stage.database.asSuperuser(
      `INSERT INTO identity.organization_membership VALUES ($1, $2, 'viewer', now())`,
      membership,
    );
    stage.age();
    expectProblem(await policies(leaver), 403, 'forbidden');
    expect((await get(id)).json()).toMatchObject({ users: [] });
  });

  test('adds duplicates once', async () => {
    const id = await made({ policies_to_add: [reading, reading] });
    expect((await patch(id, { policies_to_add: [reading] })).json()).toMatchObject({ policies: [reading] });
  });
});

describe('400', () => {
  test.each([
    [() => ({ policies_to_add: [99_999] }), 'policies_to_add'],
    [() => ({ policies_to_add: [0] }), 'policies_to_add.0'],
    [() => ({ users_to_add: ['nobody'] }), 'users_to_add'],
    [() => ({ users_to_add: [other.owner.username] }), 'users_to_add'],
    [() => ({ name: 'x'.repeat(101) }), 'name'],
    [
      () => ({ temporary_users_to_add: [{ username: member.username, ends_at: '2026-11-14T00:00:00Z' }] }),
      'temporary_users_to_add.0.ends_at',
    ],
    [
      () => ({ temporary_users_to_add: [{ username: member.username, ends_at: 'soon' }] }),
      'temporary_users_to_add.0.ends_at',
    ],
  ])('refuses %o and names %s', async (fields, place) => {
    const { errors } = expectProblem(await create(fields()), 400, 'invalid_request') as {
      errors: { name: string }[];
    };
    expect(errors.map(({ name }) => name)).toContain(place);
  });

  test('refuses to add and remove the same entry', async () => {
    const id = await made();
    const both = { policies_to_add: [reading], policies_to_remove: [reading] };
    expectProblem(await patch(id, both), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    expectProblem(await stage.send('GET', at(1), {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses members who list or create groups', async () => {
    const list = await stage.send('GET', `${path}?platform_key=${acme.key}`, member.headers);
    expectProblem(list, 403, 'forbidden');
    expectProblem(await create({}, member), 403, 'forbidden');
  });

  test('policy to group: refuses an admin who attaches more than an admin has', async () => {
    const refused = await create({ policies_to_add: [reading, ending] });
    expect(expectProblem(refused, 403, 'permission_escalation')['errors']).toEqual([
      {
        in: 'body',
        name: 'policies_to_add',
        message: `Daybook.Core/Organization/delete on /organizations/${acme.key}`,
      },
    ]);
  });

  test('user to group: refuses an admin who adds users to a group with more permissions than an admin', async () => {
    const id = await made({ policies_to_add: [ending] }, acme.owner);
    const refused = await patch(id, { users_to_add: [admin.username] });
    expectProblem(refused, 403, 'permission_escalation');
    expect((await get(id)).json()).toMatchObject({ users: [] });
    expect((await patch(id, { name: 'renamed', policies_to_add: [reading] })).status).toBe(200);
    expect((await patch(id, { users_to_add: [admin.username] }, acme.owner)).status).toBe(200);
  });

  test('user to group: refuses an admin who extends a membership with more permissions than an admin', async () => {
    const until = (ends_at: string) => ({
      temporary_users_to_add: [{ username: member.username, ends_at }],
    });
    const id = await made({ policies_to_add: [ending], ...until('2126-11-16T00:00:00Z') }, acme.owner);
    const other = await acme.addMember('admin');
    for (const longer of [until('2126-11-17T00:00:00Z'), { users_to_add: [member.username] }])
      expectProblem(await patch(id, longer, other), 403, 'permission_escalation');
    expect((await get(id)).json()).toMatchObject({
      temporaryUsers: [{ username: member.username, endsAt: '2126-11-16T00:00:00.000000Z' }],
    });
    await patch(id, { users_to_remove: [member.username] }, acme.owner);
  });

  test('ignores a policy that the same request removes when it adds users', async () => {
    const id = await made({ policies_to_add: [ending] }, acme.owner);
    const swap = { policies_to_remove: [ending], users_to_add: [member.username] };
    expect((await patch(id, swap)).status).toBe(200);
  });
});

describe('404', () => {
  test('returns the same 404 for unknown, unreadable and foreign groups', async () => {
    const id = await made();
    const answers = [
      await get(99_999),
      await get(id, member),
      await patch(id, {}, member),
      await remove(id, member),
      await get(id, other.owner),
      await remove(id, other.owner),
    ];
    const bodies = answers.map((answer) => ({
      ...expectProblem(answer, 404, 'not_found'),
      requestId: '',
    }));
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

describe('409', () => {
  test('refuses a taken name in an organization', async () => {
    await made({ name: 'twice' });
    expectProblem(await create({ name: 'twice' }), 409, 'conflict');
  });

  test('refuses to delete a group with users', async () => {
    expectProblem(await remove(await made({ users_to_add: [member.username] })), 409, 'conflict');
  });
});
