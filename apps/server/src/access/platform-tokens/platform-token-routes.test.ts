import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TokenDesk } from '../../../test/platform-tokens.ts';
import { openTokenDesk, tokensPath } from '../../../test/platform-tokens.ts';
import { readAccountEvents } from '../../audit/index.ts';

let stage: TestAccess;
let acme: TestOrganization;
let other: TestOrganization;
let desk: TokenDesk;
let admin: TestMember;
let member: TestMember;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  other = await stage.createOrganization();
  desk = openTokenDesk(stage, acme);
  admin = await acme.addMember('admin');
  member = await acme.addMember('member');
});
afterAll(() => stage.stop());

describe('201', () => {
  test('returns all fields of a new token and, only then, its secret', async () => {
    const answer = await desk.create(member, { name: 'build', created: '1999-01-01T00:00:00+02:00' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(answer.json()).toEqual({
      username: member.username,
      name: 'build',
      platform_key: acme.key,
      created: '2026-11-15T00:00:00.000000Z',
      expires: '',
      expires_at: null,
      mode: 'owner',
      policies: [],
      groups: [],
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const detail = (await desk.read(member.headers, 'build')).json();
    const { key: _key, ...rest } = answer.json();
    expect(detail).toEqual(rest);
  });

  test.each([
    [{ expires: '1200' }, 1200],
    [{ expires: '', expires_in: '60' }, 60],
    [{ expires: '60', expires_in: '60' }, 60],
    [{ expires: '60', expires_in: '' }, 60],
  ])('counts %j from the time of receipt, whatever created says', async (fields, seconds) => {
    const answer = await desk.create(member, { ...fields, created: '2001-01-01T00:00:00Z' });
    expect(answer.json()).toMatchObject({
      expires: fields.expires,
      expires_at: new Date(stage.clock.nowMs() + seconds * 1000).toISOString(),
    });
    const headers = { authorization: `Api-Token ${String(answer.json()['key'])}` };
    stage.clock.advance({ seconds: seconds - 1 });
    expect((await desk.list(headers)).status).toBe(200);
    stage.clock.advance({ seconds: 1 });
    expectProblem(await desk.list(headers), 401, 'unauthenticated');
    expect((await desk.read(member.headers, String(answer.json()['name']))).status).toBe(200);
  });

  test('creates a token in the creator’s name with an owner token', async () => {
    const { headers } = await desk.made(member);
    expect((await desk.create({ ...member, headers })).json()).toMatchObject({ username: member.username });
  });
});

describe('200', () => {
  test('lists tokens without policies, groups and secrets, newest first', async () => {
    const lister = await acme.addMember('member');
    await desk.made(lister, { name: 'first' });
    stage.clock.advance({ seconds: 1 });
    await desk.made(lister, { name: 'second' });
    const tokens = (await desk.list(lister.headers)).json() as unknown as Record<string, unknown>[];
    expect(tokens.map(({ name }) => name)).toEqual(['second', 'first']);
    expect(Object.keys(tokens[0]!).sort()).toEqual([
      'created',
      'expires',
      'expires_at',
      'mode',
      'name',
      'platform_key',
      'username',
    ]);
  });

  test('lists their own tokens to members, and all to callers who may act for members', async () => {
    const [one, two] = [await acme.addMember('member'), await acme.addMember('member')];
    const { name } = await desk.made(one);
    const namesFor = async (who: TestMember): Promise<unknown[]> =>
      ((await desk.list(who.headers)).json() as unknown as { name: string }[]).map((token) => token.name);
    expect(await namesFor(two)).toEqual([]);
    expect(await namesFor(one)).toEqual([name]);
    expect(await namesFor(admin)).toContain(name);
    expectProblem(await desk.read(two.headers, name), 404, 'not_found');
    expect((await desk.read(admin.headers, name)).json()).toMatchObject({ username: one.username });
  });
});

describe('expires_in', () => {
  test('is in every response about a token that was created with it, and in no other', async () => {
    const { name } = await desk.made(member, { expires: '', expires_in: '3600' });
    expect((await desk.read(member.headers, name)).json()).toMatchObject({ expires: '', expires_in: '3600' });
    const plain = await desk.made(member, { expires: '3600' });
    expect((await desk.read(member.headers, plain.name)).json()).not.toHaveProperty('expires_in');
  });
});

describe('204', () => {
  test('removes a deleted token, and refuses its secret within a second', async () => {
    const { name, headers } = await desk.made(member);
    expect((await desk.list(headers)).status).toBe(200);
    const answer = await desk.remove(member.headers, name);
    expect([answer.status, answer.text]).toEqual([204, '']);
    stage.age();
    expectProblem(await desk.list(headers), 401, 'unauthenticated');
    expectProblem(await desk.remove(member.headers, name), 404, 'not_found');
    expect((await desk.create(member, { name })).status).toBe(201);
  });
});

describe('400', () => {
  test.each([
    [{ username: undefined }, 'username'],
    [{ name: undefined }, 'name'],
    [{ platform_key: undefined }, 'platform_key'],
    [{ created: undefined }, 'created'],
    [{ expires: undefined }, 'expires'],
    [{ name: '' }, 'name'],
    [{ name: ' x' }, 'name'],
    [{ name: '..' }, 'name'],
    [{ name: 'a/b' }, 'name'],
    [{ name: 'field-permissions' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ key: 'mine' }, 'key'],
    [{ created: 'yesterday' }, 'created'],
    [{ expires: '0' }, 'expires'],
    [{ expires: '-1' }, 'expires'],
    [{ expires: '1h' }, 'expires'],
    [{ expires: '10', expires_in: '20' }, 'expires_in'],
    [{ expires: null }, 'expires'],
    [{ mode: 'root' }, 'mode'],
    [{ Mode: 'token_policies' }, 'Mode'],
    [{ policies: [1] }, 'policies'],
    [{ mode: 'token_policies', policies_to_add: ['1'] }, 'policies_to_add.0'],
    [{ mode: 'token_policies', policies_to_add: [1], policies_to_remove: [1] }, 'policies_to_remove'],
  ])('refuses %j and names %s', async (fields, place) => {
    const { errors } = expectProblem(await desk.create(admin, fields), 400, 'invalid_request') as {
      errors: { name: string }[];
    };
    expect(errors.map(({ name }) => name)).toContain(place);
  });

  test('suggests the probable field for an unknown one', async () => {
    const { detail } = expectProblem(
      await desk.create(admin, { Mode: 'token_policies' }),
      400,
      'invalid_request',
    );
    expect(detail).toBe('Mode is not a field of this request; did you mean mode?');
  });

  test('refuses a missing platform_key and an unknown field', async () => {
    expectProblem(await stage.send('GET', tokensPath, admin.headers), 400, 'invalid_request');
    const { name } = await desk.made(admin);
    expectProblem(await desk.change(admin.headers, name, { name: 'x' }), 400, 'invalid_request');
    const bare = `${tokensPath}${name}`;
    for (const method of ['GET', 'DELETE'])
      expectProblem(await stage.send(method, bare, admin.headers), 400, 'invalid_request');
  });
});

describe('403: the tokens of a member with a higher role', () => {
  test('refuses an admin who changes or deletes a token of an owner, and accepts the reverse', async () => {
    const [ofOwner, ofAdmin] = [await desk.made(acme.owner), await desk.made(admin)];
    const mode = { mode: 'token_policies' };
    for (const refused of [
      await desk.change(admin.headers, ofOwner.name, mode),
      await desk.remove(admin.headers, ofOwner.name),
    ])
      expectProblem(refused, 403, 'forbidden');
    expect((await desk.change(acme.owner.headers, ofAdmin.name, mode)).status).toBe(200);
    expect((await desk.remove(acme.owner.headers, ofAdmin.name)).status).toBe(204);
  });
});

describe('401', () => {
  test('refuses a request without a credential, without reading the body', async () => {
    expectProblem(await stage.send('POST', tokensPath, {}, { wrong: 'body' }), 401, 'unauthenticated');
    expectProblem(await desk.list({}), 401, 'unauthenticated');
    expectProblem(await desk.read({}, 'x'), 401, 'unauthenticated');
    expectProblem(await desk.change({}, 'x', {}), 401, 'unauthenticated');
    expectProblem(await desk.remove({}, 'x'), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses a token in the name of another member, also for an owner', async () => {
    const answer = await desk.create(acme.owner, { username: member.username });
    expectProblem(answer, 403, 'forbidden');
  });

  test('refuses viewers who list or create tokens', async () => {
    const viewer = await acme.addMember('viewer');
    expectProblem(await desk.list(viewer.headers), 403, 'forbidden');
    expectProblem(await desk.create(viewer), 403, 'forbidden');
  });

  test('refuses to delete or update a token with permission to read it only', async () => {
    const { name } = await desk.made(member);
    const looking = await desk.policy(
      ['Daybook.Core/ApiTokens/read', 'Daybook.Core/Members/act_for'],
      ['/**'],
    );
    const viewer = await acme.addMember('viewer');
    await desk.group({ users_to_add: [viewer.username], policies_to_add: [looking] });
    expect((await desk.read(viewer.headers, name)).status).toBe(200);
    expectProblem(await desk.remove(viewer.headers, name), 403, 'forbidden');
    expectProblem(await desk.change(viewer.headers, name, {}), 403, 'forbidden');
  });
});

describe('404', () => {
  test('returns the same 404 for unknown and foreign tokens, tokens of other platforms, and the platform', async () => {
    const { name } = await desk.made(admin);
    const elsewhere = openTokenDesk(stage, other);
    const foreign = await elsewhere.made(other.owner);
    const answers = [
      await desk.read(admin.headers, 'unknown'),
      await desk.read(admin.headers, foreign.name.replace('token', 'tokens')),
      await desk.read(member.headers, name),
      await desk.change(member.headers, name, {}),
      await desk.remove(member.headers, name),
      await desk.read(other.owner.headers, name),
      await desk.change(other.owner.headers, name, { mode: 'owner' }),
      await desk.remove(other.owner.headers, name),
      await desk.list(other.owner.headers),
      await desk.create(other.owner),
      await desk.list(foreign.headers),
      await desk.read(foreign.headers, name),
      await stage.send('GET', `${tokensPath}?platform_key=nobody-has-this`, admin.headers),
      await stage.send('GET', `${tokensPath}field-permissions?platform_key=${acme.key}`, admin.headers),
    ];
    const bodies = answers.map((answer) => ({
      ...expectProblem(answer, 404, 'not_found'),
      requestId: '',
    }));
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await desk.read(admin.headers, name)).status).toBe(200);
  });
});

describe('409', () => {
  test('refuses a name that is taken on the platform, by any member', async () => {
    const { name } = await desk.made(admin);
    expectProblem(await desk.create(member, { name }), 409, 'conflict');
  });
});

describe('413 and 415', () => {
  test('refuses a body that is too large or not JSON', async () => {
    const large = await desk.create(admin, { name: 'x'.repeat(20_000) });
    expectProblem(large, 413, 'payload_too_large');
    const headers = { ...admin.headers, 'content-type': 'text/plain' };
    const text = await ask(stage.app.port, tokensPath, { method: 'POST', body: 'x', headers });
    expectProblem(text, 415, 'unsupported_media_type');
  });
});

test('records creation, change and deletion of a token with its name, never its secret', async () => {
  const author = await acme.addMember('admin');
  const { name, secret, headers } = await desk.made(author, { mode: 'token_policies' });
  await desk.change(author.headers, name, { mode: 'owner' });
  stage.age();
  await desk.remove(headers, name);
  const log = await readAccountEvents(stage.identity.database, author.id, { limit: 3 });
  expect(log.map(({ kind, detail }) => [kind, (detail as { name: string }).name])).toEqual([
    ['platform_token_deleted', name],
    ['platform_token_updated', name],
    ['platform_token_created', name],
  ]);
  expect(log[0]?.detail).toHaveProperty('viaTokenId');
  const pool = stage.database;
  const rows = await pool.asSuperuser('SELECT event::text AS line FROM audit.event AS event');
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('answers OPTIONS and refuses other methods without a credential', async () => {
  const options = await stage.send('OPTIONS', tokensPath, {});
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  expectProblem(await stage.send('PUT', tokensPath, {}), 405, 'method_not_allowed');
});
