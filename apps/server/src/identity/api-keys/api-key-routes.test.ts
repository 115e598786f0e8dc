import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity, Tokens } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';

let stage: TestIdentity;
let account: TestAccount;
let tokens: Tokens;
let bearer: { readonly authorization: string };
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
  tokens = await stage.signIn(account);
  bearer = { authorization: `Bearer ${tokens.access_token}` };
});
afterAll(() => stage.stop());

const path = '/api/v1/api-keys';
const create = (json: unknown, headers: Readonly<Record<string, string>> = bearer): Promise<Answer> =>
  ask(stage.app.port, path, { method: 'POST', json, headers });
const remove = (id: string, headers: Readonly<Record<string, string>> = bearer): Promise<Answer> =>
  ask(stage.app.port, `${path}/${id}`, { method: 'DELETE', headers });
const list = async (
  headers: Readonly<Record<string, string>> = bearer,
): Promise<readonly Record<string, unknown>[]> =>
  (await stage.get(path, headers)).json() as unknown as Record<string, unknown>[];
const made = async (fields: Readonly<Record<string, unknown>> = {}) =>
  (await create({ name: 'a key', ...fields })).json() as { id: string; key: string };

describe('201 and 200', () => {
  test('a new key answers all its fields and, this once, its secret', async () => {
    const answer = await create({ name: ' deploy ' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'deploy',
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: '2026-11-15T00:00:00.000000Z',
      expiresAt: null,
      lastUsedAt: null,
      status: 'active',
    });
  });

  test('the list is an array of live keys without secrets, the newest first', async () => {
    const [one, other] = [await made({ name: 'one' }), await made({ name: 'other' })];
    const keys = await list();
    expect(Array.isArray(keys)).toBe(true);
    expect(keys.map(({ id }) => id).slice(0, 2)).toEqual([other.id, one.id]);
    for (const key of keys) {
      expect(key).not.toHaveProperty('key');
      expect(key['status']).toBe('active');
    }
  });

  test('the response to a new key, the list and the account of the key name what limits it', async () => {
    const named = [
      {
        actions: ['Daybook.Storage/Files/read'],
        resources: [`/organizations/${account.organizationKey}/projects/**`],
      },
    ];
    for (const permissions of ['read_only', named]) {
      const answer = await create({ name: 'limited', permissions });
      expect([answer.status, answer.json()['permissions']]).toEqual([201, permissions]);
      const { id, key } = answer.json() as { id: string; key: string };
      expect((await list()).find((one) => one['id'] === id)).toMatchObject({ permissions });
      const me = await stage.get('/api/v1/me', { 'x-api-key': key });
      expect(me.json()['credential']).toMatchObject({ id, permissions });
    }
    const { key } = await made();
    const me = await stage.get('/api/v1/me', { 'x-api-key': key });
    expect(me.json()['credential']).not.toHaveProperty('permissions');
  });

  test('a revoked key is gone from the list and opens nothing', async () => {
    const { id, key } = await made();
    expect((await stage.get('/api/v1/me', { 'x-api-key': key })).status).toBe(200);
    const answer = await remove(id);
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    expect((await list()).map((one) => one['id'])).not.toContain(id);
    stage.clock.advance({ milliseconds: 900 });
    expectProblem(await stage.get('/api/v1/me', { 'x-api-key': key }), 401, 'unauthenticated');
  });

  test('a key with expiresAt works until then, and is listed until then', async () => {
    const expiresAt = new Date(stage.clock.nowMs() + 60_000).toISOString();
    const { id, key } = await made({ expiresAt });
    expect((await list()).find((one) => one['id'] === id)).toMatchObject({ expiresAt });
    stage.clock.advance({ seconds: 59 });
    expect((await stage.get('/api/v1/me', { 'x-api-key': key })).status).toBe(200);
    stage.clock.advance({ seconds: 1 });
    expectProblem(await stage.get('/api/v1/me', { 'x-api-key': key }), 401, 'unauthenticated');
    expect((await list()).map((one) => one['id'])).not.toContain(id);
  });

  test('lastUsedAt is written at most once a minute', async () => {
    const { id, key } = await made();
    const use = async () => {
      await stage.get('/api/v1/me', { 'x-api-key': key });
      return (await list()).find((one) => one['id'] === id)?.['lastUsedAt'];
    };
    const first = await use();
    expect(first).toBe(new Date(stage.clock.nowMs()).toISOString());
    stage.clock.advance({ seconds: 59 });
    expect(await use()).toBe(first);
    stage.clock.advance({ seconds: 1 });
    expect(await use()).toBe(new Date(stage.clock.nowMs()).toISOString());
  });

  test('scopes name organizations of the account and are shown', async () => {
    const organizations = [tokens.user.organizationId];
    const { id, key } = await made({ scopes: { organizations } });
    expect((await list()).find((one) => one['id'] === id)).toMatchObject({ scopes: { organizations } });
    const me = (await stage.get('/api/v1/me', { 'x-api-key': key })).json();
    expect(me['credential']).toEqual({ type: 'api_key', id, name: 'a key', scopes: { organizations } });
  });
});

describe('400', () => {
  test.each([
    ['an unknown word', 'everything'],
    ['no permission', []],
    ['no action', [{ actions: [], resources: ['/organizations/x'] }]],
    [
      'a field that does not exist',
      [{ actions: ['Daybook.**'], resources: ['/organizations/x'], role: 'owner' }],
    ],
  ])('permissions with %s are refused', async (_name, permissions) => {
    expectProblem(await create({ name: 'limited', permissions }), 400, 'invalid_request');
  });

  test('permissions name every place that is wrong, and organizations of others as unknown ones', async () => {
    const own = `/organizations/${account.organizationKey}/projects`;
    const other = await stage.createAccount();
    const answer = await create({
      name: 'limited',
      permissions: [
        { actions: ['Daybook.Storage/Files/read', 'Files/read'], resources: [own, `${own}/pro*`] },
        { actions: ['Daybook.**'], resources: [own, `/organizations/${other.organizationKey}`] },
        { actions: ['Daybook.**'], resources: [`/organizations/${other.organizationKey}`] },
        { actions: ['Daybook.**'], resources: ['/organizations/unknown'] },
      ],
    });
    expectProblem(answer, 400, 'invalid_request');
    const errors = answer.json()['errors'] as { name: string; message: string }[];
    expect(errors.map(({ name }) => name)).toEqual([
      'permissions.0.actions.1',
      'permissions.0.resources.1',
      'permissions.1.resources.1',
      'permissions.2.resources.0',
      'permissions.3.resources.0',
    ]);
    expect(errors[3]?.message).toBe(errors[4]?.message);
  });

  test('permissions in an organization that the scopes leave out are refused', async () => {
    const other = await stage.createAccount();
    const { user } = await stage.signIn(other);
    await stage.database.asSuperuser(
      `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
       VALUES ($1, $2, 'member', now())`,
      [user.organizationId, account.id],
    );
    stage.clock.advance({ milliseconds: 900 });
    const permissions = [
      { actions: ['Daybook.**'], resources: [`/organizations/${account.organizationKey}`] },
    ];
    const scopes = { organizations: [user.organizationId] };
    expectProblem(await create({ name: 'limited', scopes, permissions }), 400, 'invalid_request');
    expect((await create({ name: 'limited', permissions })).status).toBe(201);
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: '   ' }],
    [{ name: 'x'.repeat(201) }],
    [{ name: 'tab\tbed' }],
    [{ name: 'line\n' }],
    [{ name: 'two\u2028lines' }],
    [{ name: 'bell\u0007' }],
    [{ name: '\u202Edeploy' }],
    [{ name: 'de\u2066ploy' }],
    [{ name: 'x', scopes: { organizations: [] } }],
    [{ name: 'x', scopes: {} }],
    [{ name: 'x', scope: { organizations: ['018f0000-0000-7000-8000-000000000000'] } }],
    [{ name: 'x', expires_at: '2026-12-01T00:00:00Z' }],
    [{ name: 'x', scopes: { organizations: ['018f0000-0000-7000-8000-000000000000'] } }],
    [{ name: 'x', expiresAt: 'tomorrow' }],
    [{ name: 'x', expiresAt: '2026-11-14T00:00:00Z' }],
    [{ name: 'x', expiresAt: '2026-11-31T00:00:00Z' }],
  ])('%j is an invalid request', async (body) => {
    expectProblem(await create(body), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('without a credential nothing is listed, made or revoked, and the body is not looked at', async () => {
    expectProblem(await stage.get(path), 401, 'unauthenticated');
    expectProblem(await create({ wrong: 'body' }, {}), 401, 'unauthenticated');
    expectProblem(await remove('x', {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('an API key manages no API keys', async () => {
    const { id, key } = await made();
    const headers = { 'x-api-key': key };
    expectProblem(await stage.get(path, headers), 403, 'jwt_required');
    expectProblem(await create({ name: 'x' }, headers), 403, 'jwt_required');
    expectProblem(await remove(id, headers), 403, 'jwt_required');
  });

  test('with both, the token speaks', async () => {
    const { key } = await made();
    expect((await stage.get(path, { ...bearer, 'x-api-key': key })).status).toBe(200);
  });
});

describe('404', () => {
  test("an unknown key, a revoked one and another's are the same", async () => {
    const { id } = await made();
    await remove(id);
    const stranger = await stage.createAccount();
    const { access_token } = await stage.signIn(stranger);
    const others = await create({ name: 'x' }, { authorization: `Bearer ${access_token}` });
    const bodies = [];
    for (const one of [id, 'x', '018f0000-0000-7000-8000-000000000000', others.json()['id'] as string]) {
      bodies.push({ ...expectProblem(await remove(one), 404, 'not_found'), requestId: '' });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });
});

test('OPTIONS is answered and other methods are refused without a credential', async () => {
  const options = await ask(stage.app.port, path, { method: 'OPTIONS' });
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  expectProblem(await ask(stage.app.port, path, { method: 'PUT' }), 405, 'method_not_allowed');
});

describe('409', () => {
  test('an account has at most 100 live keys', async () => {
    const collector = await stage.signIn(await stage.createAccount());
    const headers = { authorization: `Bearer ${collector.access_token}` };
    for (let key = 0; key < 100; key += 1) expect((await create({ name: 'x' }, headers)).status).toBe(201);
    expectProblem(await create({ name: 'x' }, headers), 409, 'conflict');
  });

  test('of many that ask at once, as many are refused as go beyond the 100', async () => {
    const collector = await stage.signIn(await stage.createAccount());
    const headers = { authorization: `Bearer ${collector.access_token}` };
    for (let key = 0; key < 90; key += 1) await create({ name: 'x' }, headers);
    const asked = Array.from({ length: 40 }, () => create({ name: 'x' }, headers));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(30);
    expect(await list(headers)).toHaveLength(100);
  });
});
