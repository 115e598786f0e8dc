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
  test('returns all fields of a new key and, only then, its secret', async () => {
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

  test('lists live keys without secrets, newest first', async () => {
    const [one, other] = [await made({ name: 'one' }), await made({ name: 'other' })];
    const keys = await list();
    expect(Array.isArray(keys)).toBe(true);
    expect(keys.map(({ id }) => id).slice(0, 2)).toEqual([other.id, one.id]);
    for (const key of keys) {
      expect(key).not.toHaveProperty('key');
      expect(key['status']).toBe('active');
    }
  });

  test('returns the limits of a key on creation, in the list and in the profile that the key reads', async () => {
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

  test('removes a revoked key from the list and refuses it', async () => {
    const { id, key } = await made();
    expect((await stage.get('/api/v1/me', { 'x-api-key': key })).status).toBe(200);
    const answer = await remove(id);
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    expect((await list()).map((one) => one['id'])).not.toContain(id);
    stage.clock.advance({ milliseconds: 900 });
    expectProblem(await stage.get('/api/v1/me', { 'x-api-key': key }), 401, 'unauthenticated');
  });

  test('accepts and lists a key until its expiresAt', async () => {
    const expiresAt = new Date(stage.clock.nowMs() + 60_000).toISOString();
    const { id, key } = await made({ expiresAt });
    expect((await list()).find((one) => one['id'] === id)).toMatchObject({ expiresAt });
    stage.clock.advance({ seconds: 59 });
    expect((await stage.get('/api/v1/me', { 'x-api-key': key })).status).toBe(200);
    stage.clock.advance({ seconds: 1 });
    expectProblem(await stage.get('/api/v1/me', { 'x-api-key': key }), 401, 'unauthenticated');
    expect((await list()).map((one) => one['id'])).not.toContain(id);
  });

  test('updates lastUsedAt at most once a minute', async () => {
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

  test('accepts and returns scopes with organizations of the account', async () => {
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
  ])('refuses permissions with %s', async (_name, permissions) => {
    expectProblem(await create({ name: 'limited', permissions }), 400, 'invalid_request');
  });

  test('names every invalid place in permissions, and treats organizations of others as unknown', async () => {
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

  test('refuses permissions in an organization outside the scopes', async () => {
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
  ])('refuses %j as an invalid request', async (body) => {
    expectProblem(await create(body), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('lists, creates and revokes nothing without a credential, and does not read the body', async () => {
    expectProblem(await stage.get(path), 401, 'unauthenticated');
    expectProblem(await create({ wrong: 'body' }, {}), 401, 'unauthenticated');
    expectProblem(await remove('x', {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses to manage API keys with an API key', async () => {
    const { id, key } = await made();
    const headers = { 'x-api-key': key };
    expectProblem(await stage.get(path, headers), 403, 'jwt_required');
    expectProblem(await create({ name: 'x' }, headers), 403, 'jwt_required');
    expectProblem(await remove(id, headers), 403, 'jwt_required');
  });

  test('uses the token if a request has both a token and a key', async () => {
    const { key } = await made();
    expect((await stage.get(path, { ...bearer, 'x-api-key': key })).status).toBe(200);
  });
});

describe('404', () => {
  test('returns the same 404 for unknown, revoked and foreign keys', async () => {
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

test('answers OPTIONS and refuses other methods without a credential', async () => {
  const options = await ask(stage.app.port, path, { method: 'OPTIONS' });
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  expectProblem(await ask(stage.app.port, path, { method: 'PUT' }), 405, 'method_not_allowed');
});

describe('409', () => {
  test('refuses more than 100 live keys for one account', async () => {
    const collector = await stage.signIn(await stage.createAccount());
    const headers = { authorization: `Bearer ${collector.access_token}` };
    for (let key = 0; key < 100; key += 1) expect((await create({ name: 'x' }, headers)).status).toBe(201);
    expectProblem(await create({ name: 'x' }, headers), 409, 'conflict');
  });

  test('refuses exactly the concurrent requests that exceed 100 keys', async () => {
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
