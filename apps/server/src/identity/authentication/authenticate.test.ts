import { createHmac } from 'node:crypto';

import { SignJWT, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity, Tokens } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import type { OrganizationId } from '../accounts/account.ts';
import { insertMemberships } from '../organizations/organization-store.ts';
import { markSessionsRevoked } from '../sessions/session-store.ts';

let stage: TestIdentity;
let account: TestAccount;
let tokens: Tokens;
let apiKey: string;
beforeAll(async () => {
  stage = await startTestIdentity({ credentialRequestsPerMinute: 60 });
  account = await stage.createAccount();
  tokens = await stage.signIn(account);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const created = await ask(stage.app.port, '/api/v1/api-keys', {
    method: 'POST',
    json: { name: 'k' },
    headers,
  });
  apiKey = created.json()['key'] as string;
});
afterAll(() => stage.stop());

let callers = 0;
function me(headers: Readonly<Record<string, string>>): Promise<Answer> {
  callers += 1;
  return stage.get('/api/v1/me', { 'x-forwarded-for': `10.9.${callers >> 8}.${callers & 255}`, ...headers });
}
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('200', () => {
  test('returns the account and the session of an access token', async () => {
    const answer = await me({ authorization: `Bearer ${tokens.access_token}` });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { number } = /member-(?<number>\d+)/.exec(account.username)?.groups ?? {};
    const organization = {
      id: tokens.user.organizationId,
      platform_key: `team-${number}`,
      name: `Team ${number}`,
      role: 'owner',
    };
    expect(answer.json()).toEqual({
      user: { ...tokens.user, username: account.username, organizations: [organization] },
      credential: { type: 'jwt', id: decodeJwt(tokens.access_token)['sid'] },
    });
  });

  test('returns key, name and role of every organization; to a limited key, only of its own', async () => {
    const [host, guest] = [await stage.createAccount(), await stage.createAccount()];
    const { user } = await stage.signIn(host);
    await insertMemberships(stage.identity.database, {
      accountId: guest.id,
      organizationId: user.organizationId as OrganizationId,
      role: 'viewer',
      createdAt: stage.clock.now(),
    });
    const { access_token } = await stage.signIn(guest);
    const headers = { authorization: `Bearer ${access_token}` };
    const keyOf = ({ username }: TestAccount): string => username.replace('member', 'team');
    const organizationsOf = async (credential: Readonly<Record<string, string>>): Promise<unknown> => {
      const { organizations } = (await me(credential)).json()['user'] as {
        organizations: { platform_key: string; role: string }[];
      };
      return organizations.map(({ platform_key, role }) => `${platform_key} ${role}`).sort();
    };
    expect(await organizationsOf(headers)).toEqual([`${keyOf(guest)} owner`, `${keyOf(host)} viewer`].sort());
    const confined = await stage.post(
      '/api/v1/api-keys',
      { name: 'confined', scopes: { organizations: [user.organizationId] } },
      { headers },
    );
    expect(await organizationsOf({ 'x-api-key': String(confined.json()['key']) })).toEqual([
      `${keyOf(host)} viewer`,
    ]);
  });

  test('returns the account and the key of an API key', async () => {
    expect((await me({ 'x-api-key': apiKey })).json()).toMatchObject({
      user: tokens.user,
      credential: { type: 'api_key', name: 'k' },
    });
  });

  test('uses the token if a request has both a token and a key', async () => {
    const both = await me({ authorization: `bearer ${tokens.access_token}`, 'x-api-key': apiKey });
    expect(both.json()['credential']).toMatchObject({ type: 'jwt' });
  });

  test('reads roles and organizations from the database, not from the token', async () => {
    await stage.database.asSuperuser(
      `UPDATE identity.organization_membership SET role = 'member' WHERE account_id = $1`,
      [account.id],
    );
    stage.clock.advance({ milliseconds: 900 });
    expect(decodeJwt(tokens.access_token)['role']).toBe('owner');
    const answer = await me({ authorization: `Bearer ${tokens.access_token}` });
    expect(answer.json()['user']).toMatchObject({ role: 'member' });
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    const answer = await me({});
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('refuses an invalid token beside a valid key', async () => {
    expectProblem(await me({ authorization: 'Bearer x.y.z', 'x-api-key': apiKey }), 401, 'unauthenticated');
    expectProblem(await me({ authorization: 'Bearer', 'x-api-key': apiKey }), 401, 'unauthenticated');
  });

  test('refuses an API key as bearer token, and a token as API key', async () => {
    expect((await me({ 'x-api-key': apiKey })).status).toBe(200);
    expectProblem(await me({ authorization: `Bearer ${apiKey}` }), 401, 'unauthenticated');
    expectProblem(await me({ 'x-api-key': tokens.access_token }), 401, 'unauthenticated');
  });

  test.each([
    ['upper case', (key: string) => key.toUpperCase()],
    ['one digit off', (key: string) => key.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
    ['a digit short', (key: string) => key.slice(1)],
    ['two keys', (key: string) => `${key}, ${key}`],
    ['unknown with a right checksum', () => `${'0'.repeat(56)}f1e8ba9e`],
  ])('refuses a key in %s', async (_what, change) => {
    expectProblem(await me({ 'x-api-key': change(apiKey) }), 401, 'unauthenticated');
  });

  describe('confused tokens', () => {
    const forged = async (header: object, key: Uint8Array | CryptoKey): Promise<string> => {
      const { kid } = decodeProtectedHeader(tokens.access_token);
      return new SignJWT(decodeJwt(tokens.access_token))
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...(kid === undefined ? {} : { kid }), ...header })
        .sign(key);
    };

    test.each(['none', 'None', 'NONE'])('alg %s', async (alg) => {
      const { kid } = decodeProtectedHeader(tokens.access_token);
      const [, payload] = tokens.access_token.split('.');
      for (const signature of ['', 'AA'])
        expectProblem(
          await me({
            authorization: `Bearer ${base64({ alg, kid, typ: 'at+jwt' })}.${payload}.${signature}`,
          }),
          401,
          'unauthenticated',
        );
    });

    test('refuses HS256 with the public key as secret, in every published or stored form', async () => {
      const set = (await stage.get('/.well-known/jwks.json')).json() as { keys: Record<string, string>[] };
      const [jwk = {}] = set.keys;
      for (const secret of [
        JSON.stringify(jwk),
        JSON.stringify(set),
        `${jwk['x']}`,
        `${jwk['x']}${jwk['y']}`,
      ]) {
        const token = await forged({}, Buffer.from(secret));
        expectProblem(await me({ authorization: `Bearer ${token}` }), 401, 'unauthenticated');
      }
      const [, payload] = tokens.access_token.split('.');
      const head = base64({ alg: 'HS256', kid: jwk['kid'], typ: 'at+jwt' });
      const signature = createHmac('sha256', JSON.stringify(jwk))
        .update(`${head}.${payload}`)
        .digest('base64url');
      expectProblem(
        await me({ authorization: `Bearer ${head}.${payload}.${signature}` }),
        401,
        'unauthenticated',
      );
    });

    test('refuses a foreign key under our key id, another or none, or embedded in the header', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = await crypto.subtle.exportKey('jwk', publicKey);
      for (const header of [
        {},
        { kid: 'foreign' },
        { kid: '../../key' },
        { kid: undefined },
        { jwk, kid: 'x' },
      ]) {
        const token = await forged({ alg: 'ES256', ...header }, privateKey);
        expectProblem(await me({ authorization: `Bearer ${token}` }), 401, 'unauthenticated');
      }
    });

    test('refuses our signature with another type, issuer or audience, or without a session', async () => {
      const { kid, key } = await stage.identity.ring.signer();
      const claims = decodeJwt(tokens.access_token);
      const sign = (header: object, changed: object): Promise<string> =>
        new SignJWT({ ...claims, ...changed })
          .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...header })
          .sign(key);
      expect((await me({ authorization: `Bearer ${await sign({}, { jti: 'own' })}` })).status).toBe(200);
      for (const token of [
        await sign({ typ: 'JWT' }, {}),
        await sign({}, { iss: 'https://elsewhere.example' }),
        await sign({}, { aud: 'https://elsewhere.example' }),
        await sign({}, { sid: undefined }),
        await sign({}, { sid: '018f0000-0000-7000-8000-000000000000' }),
        await sign({}, { sub: '018f0000-0000-7000-8000-000000000000' }),
        await sign({}, { exp: undefined }),
      ])
        expectProblem(await me({ authorization: `Bearer ${token}` }), 401, 'unauthenticated');
    });

    test('refuses a changed payload, a truncated signature and a token of 5 KB', async () => {
      const [head, payload = '', signature = ''] = tokens.access_token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      for (const token of [
        `${head}.${base64({ ...claims, role: 'admin' })}.${signature}`,
        `${head}.${payload}.${signature.slice(0, -4)}`,
        `${head}.${payload}.${signature}.x`,
        `${head}.${'x'.repeat(5000)}.${signature}`,
      ])
        expectProblem(await me({ authorization: `Bearer ${token}` }), 401, 'unauthenticated');
    });
  });

  test('refuses a revoked session after 900 ms in the cache, without a notification', async () => {
    const { access_token } = await stage.signIn(account);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await me(headers)).status).toBe(200);
    const sessionId = decodeJwt(access_token)['sid'] as never;
    const now = stage.clock.now();
    await markSessionsRevoked(stage.identity.database, { sessionId }, 'revoked_by_owner', now);
    stage.clock.advance({ milliseconds: 899 });
    expect((await me(headers)).status).toBe(200);
    stage.clock.advance({ milliseconds: 1 });
    expectProblem(await me(headers), 401, 'unauthenticated');
  });

  test('refuses a credential that another process ended as soon as the notification arrives', async () => {
    const { access_token } = await stage.signIn(account);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await me(headers)).status).toBe(200);
    const sessionId = decodeJwt(access_token)['sid'] as never;
    const now = stage.clock.now();
    await markSessionsRevoked(stage.identity.database, { sessionId }, 'revoked_by_owner', now);
    stage.identity.authenticator.forget(String(sessionId));
    expectProblem(await me(headers), 401, 'unauthenticated');
  });
});

describe('429', () => {
  test('limits the requests per minute of each credential, from any address', async () => {
    const [one, other] = [await stage.signIn(account), await stage.signIn(account)];
    for (let left = 59; left >= 0; left -= 1) {
      const { status, headers } = await me({ authorization: `Bearer ${one.access_token}` });
      expect([status, headers['ratelimit-policy'], headers['ratelimit']]).toEqual([
        200,
        '"credential";q=60;w=60',
        `"credential";r=${left};t=${60 - left}`,
      ]);
    }
    const refused = await me({ authorization: `Bearer ${one.access_token}` });
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['ratelimit']).toBe('"credential";r=0;t=1');
    expect((await me({ authorization: `Bearer ${other.access_token}` })).status).toBe(200);
    stage.clock.advance({ seconds: 1 });
    expect((await me({ authorization: `Bearer ${one.access_token}` })).status).toBe(200);
  });

  test('limits attempts with invalid credentials', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9', 'x-api-key': `${'0'.repeat(56)}f1e8ba9e` };
    for (let sent = 0; sent < 60; sent += 1) await me(from);
    expectProblem(await me(from), 429, 'rate_limited');
  });
});
