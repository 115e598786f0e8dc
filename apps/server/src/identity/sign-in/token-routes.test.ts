import { hash } from '@node-rs/argon2';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { grantOf } from '../../../test/accounts-stage.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity, Tokens } from '../../../test/identity.ts';
import { startTestIdentity, testAuthUrl } from '../../../test/identity.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import { renewPasswordHash, updatePasswordHash } from '../accounts/account-store.ts';
import { signInBrowser } from './sign-in-browser.ts';

let stage: TestIdentity;
let account: TestAccount;
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
});
afterAll(() => stage.stop());

const token = '/api/auth/token';
const refresh = '/api/auth/token/refresh';

describe('200', () => {
  test('returns uncacheable tokens and the user for e-mail address and password', async () => {
    const answer = await stage.post(token, { email: account.email, password: account.password });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_in: 3600,
      user: {
        id: account.id,
        email: account.email,
        name: expect.any(String),
        image: `https://daybook.example/avatars/${account.id}.svg`,
        organizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        role: 'owner',
        workspaces: [{ workspaceId: expect.any(String), workspaceName: 'General', role: 'owner' }],
      },
    });
  });

  test('ignores the case of an e-mail address', async () => {
    const email = account.email.toUpperCase();
    expect((await stage.post(token, { email, password: account.password })).status).toBe(200);
  });

  test('issues an ES256 access token with the documented claims and one hour of validity', async () => {
    const { access_token, user } = await stage.signIn(account);
    expect(decodeProtectedHeader(access_token)).toEqual({
      alg: 'ES256',
      kid: expect.any(String),
      typ: 'at+jwt',
    });
    const claims = decodeJwt(access_token);
    expect(claims).toEqual({
      iss: testAuthUrl,
      aud: 'https://daybook.example',
      sub: account.id,
      sid: expect.any(String),
      org: user.organizationId,
      role: 'owner',
      iat: stage.clock.nowMs() / 1000,
      exp: stage.clock.nowMs() / 1000 + 3600,
      jti: expect.any(String),
    });
  });
});

describe('400', () => {
  test.each([
    ['no email', { password: 'x' }],
    ['no password', { email: 'a@example.org' }],
    ['an email that is a number', { email: 1, password: 'x' }],
    ['an invalid e-mail address', { email: 'nobody', password: 'x' }],
    ['a password of nothing', { email: 'a@example.org', password: '' }],
    ['a list', []],
    ['nothing', null],
  ])('refuses %s as an invalid request', async (_what, body) => {
    expectProblem(await stage.post(token, body), 400, 'invalid_request');
  });

  test.each(['refresh', 'exchange', 'revoke'])('%s without its field is an invalid request', async (name) => {
    expectProblem(await stage.post(`${token}/${name}`, {}), 400, 'invalid_request');
  });

  test.each([
    ['text/plain', '{"email":"a@example.org","password":"x"}'],
    ['application/x-www-form-urlencoded', 'email=a%40example.org&password=x'],
    ['application/json', '{"email":'],
    ['application/json', ''],
    ['application/json', `{"email":"${'x'.repeat(70_000)}"}`],
  ])('refuses an unreadable body of %s as an invalid request', async (contentType, body) => {
    for (const path of [token, refresh, `${token}/exchange`, `${token}/revoke`]) {
      const headers = { 'content-type': contentType, 'x-forwarded-for': `10.200.0.${body.length % 250}` };
      expectProblem(
        await ask(stage.app.port, path, { method: 'POST', body, headers }),
        400,
        'invalid_request',
      );
    }
  });
});

describe('401', () => {
  test('returns the same error for a wrong password and an unknown address', async () => {
    const wrong = await stage.post(token, { email: account.email, password: 'wrong password' });
    const unknown = await stage.post(token, { email: 'nobody@example.org', password: 'wrong password' });
    expectProblem(wrong, 401, 'invalid_credentials');
    expect({ ...unknown.json(), requestId: '' }).toEqual({ ...wrong.json(), requestId: '' });
  });

  test('names the reason for an account without a password', async () => {
    const external = await stage.createAccount();
    await stage.database.asSuperuser('UPDATE identity.account SET password_hash = NULL WHERE id = $1', [
      external.id,
    ]);
    expectProblem(await stage.post(token, grantOf(external)), 401, 'password_not_set');
  });

  test('locks the address for 15 minutes after five failures, also for the right password', async () => {
    const locked = await stage.createAccount();
    const wrong = { email: locked.email, password: 'wrong password' };
    for (let failure = 0; failure < 5; failure += 1)
      expectProblem(await stage.post(token, grantOf(wrong)), 401, 'invalid_credentials');
    const refused = await stage.post(token, grantOf(locked));
    expectProblem(refused, 401, 'account_locked');
    expect(refused.headers['retry-after']).toBe('900');
    stage.clock.advance({ seconds: 899 });
    expectProblem(await stage.post(token, grantOf(locked)), 401, 'account_locked');
    stage.clock.advance({ seconds: 1 });
    expect((await stage.post(token, grantOf(locked))).status).toBe(200);
  });

  test('locks an address without an account in the same way', async () => {
    const wrong = { email: 'locked-nobody@example.org', password: 'wrong password' };
    for (let failure = 0; failure < 5; failure += 1)
      expectProblem(await stage.post(token, grantOf(wrong)), 401, 'invalid_credentials');
    expectProblem(await stage.post(token, grantOf(wrong)), 401, 'account_locked');
  });

  test('clears earlier failures after a success', async () => {
    const forgiven = await stage.createAccount();
    const wrong = { email: forgiven.email, password: 'wrong password' };
    for (let failure = 0; failure < 4; failure += 1) await stage.post(token, grantOf(wrong));
    expect((await stage.post(token, grantOf(forgiven))).status).toBe(200);
    for (let failure = 0; failure < 4; failure += 1) await stage.post(token, grantOf(wrong));
    expect((await stage.post(token, grantOf(forgiven))).status).toBe(200);
  });

  test('does not add up failures more than 15 minutes apart', async () => {
    const slow = await stage.createAccount();
    const wrong = { email: slow.email, password: 'wrong password' };
    for (let failure = 0; failure < 4; failure += 1) await stage.post(token, grantOf(wrong));
    stage.clock.advance({ minutes: 15 });
    for (let failure = 0; failure < 4; failure += 1)
      expectProblem(await stage.post(token, grantOf(wrong)), 401, 'invalid_credentials');
    expect((await stage.post(token, grantOf(slow))).status).toBe(200);
  });

  test('locks password sign-in only: refresh still works', async () => {
    const owner = await stage.createAccount();
    const { refresh_token } = await stage.signIn(owner);
    for (let failure = 0; failure < 5; failure += 1)
      await stage.post(token, { email: owner.email, password: 'wrong password' });
    expect((await stage.post(refresh, { refresh_token })).status).toBe(200);
  });
});

describe('429', () => {
  test('limits an address to ten requests a minute, whatever their result and across all three endpoints', async () => {
    const from = '192.0.2.7';
    const bodies: readonly [string, unknown][] = [
      [token, account],
      [token, { email: account.email, password: 'wrong password' }],
      [refresh, { refresh_token: 'x' }],
      [`${token}/exchange`, { code: 'x' }],
      [token, 'not an object'],
    ];
    for (const [path, body] of [...bodies, ...bodies])
      expect((await stage.post(path, body, { from })).status).not.toBe(429);
    stage.clock.advance({ seconds: 20 });
    for (const [path, body] of bodies) {
      const answer = await stage.post(path, body, { from });
      expectProblem(answer, 429, 'rate_limited');
      expect(answer.headers['retry-after']).toBe('40');
      expect([answer.headers['ratelimit-policy'], answer.headers['ratelimit']]).toEqual([
        expect.stringMatching(/^"[a-z-]+";q=10;w=60$/),
        expect.stringMatching(/^"[a-z-]+";r=0;t=40$/),
      ]);
    }
    stage.clock.advance({ seconds: 40 });
    expect((await stage.post(token, grantOf(account), { from })).status).toBe(200);
  });

  test('counts the addresses of one IPv6 customer as one', async () => {
    for (let sent = 0; sent < 10; sent += 1)
      await stage.post(refresh, { refresh_token: 'x' }, { from: `2001:db8:1:2::${sent + 1}` });
    expectProblem(
      await stage.post(refresh, { refresh_token: 'x' }, { from: '2001:db8:1:2:ffff::1' }),
      429,
      'rate_limited',
    );
    const other = await stage.post(refresh, { refresh_token: 'x' }, { from: '2001:db8:1:3::1' });
    expect(other.status).toBe(401);
  });

  test('does not count sign-outs in the limit of sign-ins', async () => {
    const from = '192.0.2.8';
    for (let sent = 0; sent < 11; sent += 1) await stage.post(refresh, { refresh_token: 'x' }, { from });
    expect((await stage.post(`${token}/revoke`, { refresh_token: 'x' }, { from })).status).toBe(200);
  });
});

describe('500', () => {
  test('returns only the request id for an internal error', async () => {
    const broken = await stage.createAccount();
    await stage.database.asSuperuser('ALTER TABLE identity.session RENAME TO session_gone');
    try {
      const answer = await stage.post(token, grantOf(broken));
      expectProblem(answer, 500, 'internal');
      expect(answer.text).not.toMatch(/session/);
    } finally {
      await stage.database.asSuperuser('ALTER TABLE identity.session_gone RENAME TO session');
    }
  });
});

describe('503', () => {
  test('returns Retry-After while all hashing slots are in use, and counts no failure', async () => {
    const busy = await stage.createAccount();
    const places = Array.from({ length: 100 }, () => stage.identity.hasher.reserveSlot());
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => stage.post(token, { email: busy.email, password: 'wrong password' })),
    );
    for (const answer of answers) {
      expectProblem(answer, 503, 'temporarily_unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    for (const place of places) place.leave();
    expect((await stage.post(token, grantOf(busy))).status).toBe(200);
  });
});

test('replaces a hash with weaker parameters at the next sign-in', async () => {
  const old = await stage.createAccount();
  const weak = await hash(old.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  await updatePasswordHash(stage.identity.database, old.id, weak);
  const signedIn: Tokens = await stage.signIn(old);
  expect(signedIn.user['id']).toBe(old.id);
  const [row] = await stage.database.asSuperuser('SELECT password_hash FROM identity.account WHERE id = $1', [
    old.id,
  ]);
  expect(row?.['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await stage.signIn(old);
});

describe('a password that is changed while it is being checked', () => {
  /** Signs in while a change of the password has not been committed, and commits it once the sign-in waits for it. */
  async function signInDuringChange<Outcome = Answer>(
    owner: TestAccount,
    newHash: string,
    begin: () => Promise<Outcome> = () => stage.post(token, grantOf(owner)) as Promise<Outcome>,
  ): Promise<Outcome> {
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: changed, resolve: hasChanged } = Promise.withResolvers<void>();
    const change = stage.identity.database.transaction().execute(async (transaction) => {
      await updatePasswordHash(transaction, owner.id, newHash);
      hasChanged();
      await mayCommit;
    });
    await changed;
    const answer = begin();
    await untilWaiting(stage.database, 'password_hash');
    commit();
    await change;
    return answer;
  }

  const passwordHash = async (password: string): Promise<string> => {
    const place = stage.identity.hasher.reserveSlot();
    return place.hash(password).finally(place.leave);
  };

  test('opens no session if it is no longer right', async () => {
    const owner = await stage.createAccount();
    const answer = await signInDuringChange(owner, await passwordHash('another horse'));
    expectProblem(answer, 401, 'invalid_credentials');
    const sessions = await stage.database.asSuperuser('SELECT FROM identity.session WHERE account_id = $1', [
      owner.id,
    ]);
    expect(sessions).toEqual([]);
    await stage.signIn({ ...owner, password: 'another horse' });
  });

  test('is checked again, and opens a session if it is still right', async () => {
    const owner = await stage.createAccount();
    expect((await signInDuringChange(owner, await passwordHash(owner.password))).status).toBe(200);
  });

  test('opens no session in a browser either', async () => {
    const owner = await stage.createAccount();
    const client = { address: '192.0.2.1', userAgent: 'browser' };
    const begin = () => signInBrowser(stage.identity, { ...owner, client }).catch((error: unknown) => error);
    const outcome = await signInDuringChange(owner, await passwordHash('another horse'), begin);
    expect(outcome).toMatchObject({ definition: { code: 'invalid_credentials' } });
  });

  test('is not reverted by the upgrade of an older hash', async () => {
    const owner = await stage.createAccount();
    const [weak, changed] = [
      await hash(owner.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 }),
      await passwordHash('another horse'),
    ];
    await updatePasswordHash(stage.identity.database, owner.id, changed);
    await renewPasswordHash(stage.identity.database, owner.id, weak, await passwordHash(owner.password));
    const { user } = await stage.signIn({ ...owner, password: 'another horse' });
    expect(user).toMatchObject({ id: owner.id });
  });
});
