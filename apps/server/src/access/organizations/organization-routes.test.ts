import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { organizations } from '../../identity/index.ts';

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
let token: TestMember['headers'];
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  admin = await acme.addMember('admin');
  const made = await stage.send('POST', '/dm/api/core/platform/api-tokens/', acme.owner.headers, {
    username: acme.owner.username,
    name: 'own',
    platform_key: acme.key,
    created: '2026-11-15T00:00:00Z',
    expires: '',
    mode: 'token_policies',
  });
  token = { authorization: `Api-Token ${String(made.json()['key'])}` };
});
afterAll(() => stage.stop());

const path = '/dm/api/core/organizations/';
let made = 0;
const create = (headers: TestMember['headers'], fields: Record<string, unknown> = {}): Promise<Answer> => {
  made += 1;
  return stage.send('POST', path, headers, { platform_key: `made-${made}`, name: `Made ${made}`, ...fields });
};
const list = (headers: TestMember['headers'], query = ''): Promise<Answer> =>
  stage.send('GET', `${path}${query}`, headers);
const read = (headers: TestMember['headers'], key = acme.key): Promise<Answer> =>
  stage.send('GET', `${path}${key}`, headers);
const rename = (headers: TestMember['headers'], name: unknown, key = acme.key): Promise<Answer> =>
  stage.send('PATCH', `${path}${key}`, headers, { name });
const switchTo = (headers: TestMember['headers'], key = acme.key): Promise<Answer> =>
  stage.send('POST', `${path}${key}/switch`, headers);
const me = async ({ headers }: TestMember): Promise<Record<string, unknown>> =>
  (await stage.send('GET', '/api/v1/me', headers)).json()['user'] as Record<string, unknown>;

describe('200', () => {
  test('lists the organizations of the caller with roles in pages, newest first', async () => {
    const { headers } = admin;
    stage.clock.advance({ seconds: 1 });
    const { id } = (await create(headers, { platform_key: 'listed' })).json();
    const first = (await list(headers, '?limit=1')).json();
    expect(first['data']).toMatchObject([{ platform_key: 'listed', role: 'owner', id }]);
    const { nextCursor } = first['pagination'] as { nextCursor: string };
    const rest = (await list(headers, `?cursor=${nextCursor}`)).json()['data'];
    const known = [
      { platform_key: acme.key, role: 'admin', id: acme.id },
      { platform_key: admin.organizationKey, role: 'owner' },
    ].map((one) => expect.objectContaining(one) as unknown);
    expect(rest).toEqual(expect.arrayContaining(known));
  });

  test('shows the organization to every member, and lets an admin rename it for everyone', async () => {
    const viewer = await acme.addMember('viewer');
    const renamed = await rename(admin.headers, '  Acme & Söhne ');
    expect([renamed.status, renamed.json()]).toEqual([
      200,
      { id: acme.id, platform_key: acme.key, name: 'Acme & Söhne' },
    ]);
    expect((await read(viewer.headers)).json()).toEqual(renamed.json());
    const own = (await me(viewer))['organizations'] as { platform_key: string; name: string }[];
    expect(own.find(({ platform_key }) => platform_key === acme.key)?.name).toBe('Acme & Söhne');
  });
});

describe('201', () => {
  test('makes the creator the owner and switches to the organization; roles elsewhere stay', async () => {
    const founder = await acme.addMember('viewer');
    const created = await create(founder.headers, { platform_key: 'newest', name: 'Newest' });
    expect([created.status, created.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(created.json()).toMatchObject({ platform_key: 'newest', name: 'Newest', role: 'owner' });
    stage.age();
    expect(await me(founder)).toMatchObject({ organizationId: created.json()['id'], role: 'owner' });
    expect((await rename(founder.headers, 'Mine', 'newest')).status).toBe(200);
    expectProblem(await rename(founder.headers, 'Not mine'), 403, 'forbidden');
  });
});

describe('204', () => {
  test('switches between organizations without changing permissions', async () => {
    const member = await acme.addMember('member');
    expect((await switchTo(member.headers)).status).toBe(204);
    stage.age();
    expect(await me(member)).toMatchObject({ organizationId: acme.id, role: 'member' });
    expect((await rename(member.headers, 'Own', member.organizationKey)).status).toBe(200);
    expect((await switchTo(member.headers, member.organizationKey)).status).toBe(204);
    stage.age();
    expect(await me(member)).toMatchObject({ role: 'owner' });
  });

  test('leaves an account that is removed during a switch in an organization of its own', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await acme.addMember('member');
      const removal = `/dm/api/core/rbac/members/${member.username}?platform_key=${acme.key}`;
      const removed = stage.send('DELETE', removal, acme.owner.headers);
      await Promise.all([removed, switchTo(member.headers)]);
      stage.age();
      expect((await me(member))['role']).toBe('owner');
    }
  });
});

describe('400', () => {
  test.each([
    [{ platform_key: 'ab' }, 'platform_key'],
    [{ platform_key: 'With Blank' }, 'platform_key'],
    [{ name: 'www.example.com' }, 'name'],
    [{ name: '\u0007' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ color: 'red' }, 'color'],
  ])('refuses %j as an invalid request', async (fields, name) => {
    const { errors } = expectProblem(await create(admin.headers, fields), 400, 'invalid_request') as {
      errors?: { name: string }[];
    };
    expect(errors?.[0]?.name).toBe(name);
  });

  test('refuses an invalid name, an unknown parameter and a cursor of another account', async () => {
    expectProblem(await rename(admin.headers, ''), 400, 'invalid_request');
    expectProblem(await list(admin.headers, '?all=1'), 400, 'invalid_request');
    const { nextCursor } = (await list(admin.headers)).json()['pagination'] as { nextCursor: string };
    expectProblem(await list(acme.owner.headers, `?cursor=${nextCursor}`), 400, 'invalid_cursor');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    for (const answer of [list({}), create({}), read({}), rename({}, 'x'), switchTo({})])
      expectProblem(await answer, 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses a token that lists, creates or switches, and lets it read and rename with the permission', async () => {
    const asks = [list(token), create(token), switchTo(token), read(token), rename(token, 'x')];
    for (const answer of asks) expectProblem(await answer, 403, 'forbidden');
  });

  test('refuses renames by members and viewers', async () => {
    for (const role of ['member', 'viewer'] as const)
      expectProblem(await rename((await acme.addMember(role)).headers, 'x'), 403, 'forbidden');
  });
});

describe('404', () => {
  test('returns the same 404 for foreign and unknown organizations', async () => {
    const stranger = await stage.createOrganization();
    for (const key of [acme.key, 'nobody-has-this'])
      for (const answer of [
        read(stranger.owner.headers, key),
        rename(stranger.owner.headers, 'x', key),
        switchTo(stranger.owner.headers, key),
      ])
        expectProblem(await answer, 404, 'not_found');
  });
});

describe('409', () => {
  test('refuses a taken key', async () => {
    expectProblem(await create(admin.headers, { platform_key: acme.key }), 409, 'conflict');
  });

  test('refuses a reserved key that no organization has', async () => {
    await organizations.reserveOrganizationKey(stage.database.database, 'the-newsroom');
    expectProblem(await create(admin.headers, { platform_key: 'the-newsroom' }), 409, 'conflict');
  });

  test('refuses more than fifty owned organizations, counted one request at a time', async () => {
    const { owner } = await stage.createOrganization();
    for (let owned = 1; owned < 46; owned += 1) await create(owner.headers);
    const answers = await Promise.all(Array.from({ length: 7 }, () => create(owner.headers)));
    const statuses = answers.map(({ status }) => status);
    expect(Object.groupBy(statuses, (status) => status)).toMatchObject({
      201: { length: 4 },
      409: { length: 3 },
    });
  });
});
