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
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  other = await stage.createOrganization();
  admin = await acme.addMember('admin');
  member = await acme.addMember('member');
});
afterAll(() => stage.stop());

const path = '/dm/api/core/rbac/policies/';
let named = 0;
const body = (fields: object = {}, { key } = acme) => ({
  platform_key: key,
  name: `policy ${(named += 1)}`,
  actions: ['Daybook.Storage/Files/read'],
  resources: [`/organizations/${key}/projects/**`],
  ...fields,
});
const create = (fields: object = {}, who = admin, organization = acme): Promise<Answer> =>
  stage.send('POST', path, who.headers, body(fields, organization));
const made = async (fields: object = {}, who = admin, organization = acme): Promise<number> => {
  const answer = await create(fields, who, organization);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json()['id'] as number;
};
const at = (id: number | string, { key } = acme): string => `${path}${id}?platform_key=${key}`;
const get = (id: number | string, who = admin): Promise<Answer> => stage.send('GET', at(id), who.headers);
const patch = (id: number | string, json: unknown, who = admin): Promise<Answer> =>
  stage.send('PATCH', at(id), who.headers, json);
const remove = (id: number | string, who = admin): Promise<Answer> =>
  stage.send('DELETE', at(id), who.headers);
const inGroup = async (id: number): Promise<void> => {
  const json = { platform_key: acme.key, name: `group of ${id}`, policies_to_add: [id] };
  const answer = await stage.send('POST', '/dm/api/core/rbac/groups/', acme.owner.headers, json);
  expect(answer.status).toBe(201);
};

describe('201, 200 and 204', () => {
  test('creates, reads, changes and deletes a policy, uncached', async () => {
    const answer = await create({ name: 'readers' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    const policy = {
      id: expect.any(Number),
      name: 'readers',
      actions: ['Daybook.Storage/Files/read'],
      resources: [`/organizations/${acme.key}/projects/**`],
      createdAt: '2026-11-15T00:00:00.000000Z',
      updatedAt: '2026-11-15T00:00:00.000000Z',
    };
    expect(answer.json()).toEqual(policy);
    const id = answer.json()['id'] as number;
    expect((await get(id)).json()).toEqual(policy);
    const changed = await patch(id, { actions: ['Daybook.Storage/**'] });
    expect([changed.status, changed.json()]).toEqual([200, { ...policy, actions: ['Daybook.Storage/**'] }]);
    expect((await remove(id)).status).toBe(204);
    expectProblem(await get(id), 404, 'not_found');
  });

  test('numbers policies per organization and never reuses a number', async () => {
    const first = await made();
    await remove(first);
    expect(await made()).toBe(first + 1);
    expect(await made({}, other.owner, other)).toBe(1);
  });

  test('paginates in both directions with cursors that are valid for this list only', async () => {
    const lister = await stage.createOrganization();
    for (let one = 0; one < 5; one += 1) await made({}, lister.owner, lister);
    const list = async (query: string): Promise<Record<string, unknown>> =>
      (await stage.send('GET', `${path}?platform_key=${lister.key}${query}`, lister.owner.headers)).json();
    const idsOf = (page: Record<string, unknown>): unknown[] =>
      (page['data'] as { id: number }[]).map(({ id }) => id);
    const first = await list('&limit=2');
    const { hasMore, nextCursor } = first['pagination'] as { hasMore: boolean; nextCursor: string };
    expect([idsOf(first), hasMore]).toEqual([[5, 4], true]);
    const second = await list(`&limit=2&cursor=${nextCursor}`);
    expect(idsOf(second)).toEqual([3, 2]);
    const { prevCursor } = second['pagination'] as { prevCursor: string };
    expect(idsOf(await list(`&limit=9&direction=backward&cursor=${prevCursor}`))).toEqual([5, 4]);
    expect(idsOf(await list('&limit=2&page=3'))).toEqual([1]);
    const foreign = await stage.send(
      'GET',
      `${path}?platform_key=${acme.key}&cursor=${nextCursor}`,
      admin.headers,
    );
    expectProblem(foreign, 400, 'invalid_cursor');
  });

  test('accepts a policy beyond the permissions of its creator while it is not attached', async () => {
    const id = await made({ actions: ['Daybook.**'], resources: [`/organizations/${acme.key}`] });
    expect((await patch(id, { resources: [`/organizations/${acme.key}/**`] })).status).toBe(200);
  });

  test('changes a policy in use within the permissions of its editor', async () => {
    const id = await made();
    await inGroup(id);
    expect((await patch(id, { actions: ['Daybook.Storage/Files/*'] })).status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    [{ actions: [] }, 'actions'],
    [{ actions: ['Storage/Files/read'] }, 'actions.0'],
    [{ resources: ['/organizations/*/projects'] }, 'resources.0'],
    [{ resources: ['/organizations/elsewhere/projects'] }, 'resources.0'],
    [{ resources: ['/organizations/elsewhere/../projects'] }, 'resources.0'],
    [{ resources: ['/organizations/elsewhere/./projects'] }, 'resources.0'],
    [{ name: ' blank' }, 'name'],
    [{ name: 'read\u202Eonly' }, 'name'],
    [{ name: 'two\u2028lines' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
  ])('refuses %j and names %s', async (fields, place) => {
    const { errors } = expectProblem(await create(fields), 400, 'invalid_request') as {
      errors: { name: string }[];
    };
    expect(errors.map(({ name }) => name)).toContain(place);
  });

  test('refuses an invalid or too large number, and a missing platform', async () => {
    for (const id of ['x', '0', '99999999999']) expectProblem(await get(id), 400, 'invalid_request');
    expectProblem(await stage.send('GET', `${path}1`, admin.headers), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    expectProblem(await stage.send('GET', at(1), {}), 401, 'unauthenticated');
    expectProblem(await stage.send('POST', path, {}, {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses members who list or create policies', async () => {
    const list = await stage.send('GET', `${path}?platform_key=${acme.key}`, member.headers);
    expectProblem(list, 403, 'forbidden');
    expectProblem(await create({}, member), 403, 'forbidden');
  });

  test('refuses an edit of a policy in use beyond the permissions of its editor, and names the pairs', async () => {
    const id = await made();
    await inGroup(id);
    const resources = [`/organizations/${acme.key}`, `/organizations/${acme.key}/projects/1`];
    const refused = await patch(id, { actions: ['Daybook.Core/Organization/delete'], resources });
    expect(expectProblem(refused, 403, 'permission_escalation')).toMatchObject({
      errors: [
        {
          in: 'body',
          name: 'actions',
          message: `Daybook.Core/Organization/delete on /organizations/${acme.key}`,
        },
      ],
    });
    expect((await get(id)).json()).toMatchObject({ actions: ['Daybook.Storage/Files/read'] });
  });
});

describe('404', () => {
  test('returns the same 404 for unknown and unreadable policies, and unknown and foreign platforms', async () => {
    const id = await made();
    const answers = [
      await get(99_999),
      await get(id, member),
      await patch(id, { name: 'x' }, member),
      await remove(id, member),
      await get(id, other.owner),
      await patch(id, { name: 'x' }, other.owner),
      await remove(id, other.owner),
      await create({}, other.owner),
      await stage.send('GET', `${path}${id}?platform_key=nobody-has-this`, admin.headers),
    ];
    const bodies = answers.map((answer) => ({
      ...expectProblem(answer, 404, 'not_found'),
      requestId: '',
    }));
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await get(id)).status).toBe(200);
  });
});

describe('409', () => {
  test('refuses a taken name in an organization', async () => {
    const id = await made({ name: 'twice' });
    expectProblem(await create({ name: 'twice' }), 409, 'conflict');
    expectProblem(await patch(await made(), { name: 'twice' }), 409, 'conflict');
    expect((await patch(id, { name: 'twice' })).status).toBe(200);
    await made({ name: 'twice' }, other.owner, other);
  });

  test('refuses to delete a policy in use', async () => {
    const id = await made();
    await inGroup(id);
    expectProblem(await remove(id), 409, 'conflict');
  });
});
