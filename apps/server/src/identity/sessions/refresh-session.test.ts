import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity, Tokens } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';

let stage: TestIdentity;
let account: TestAccount;
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
});
afterAll(() => stage.stop());

const client = { from: '198.51.100.1', headers: { 'user-agent': 'client/1' } };
let used = 0;
/** One address within the limit; waits a minute before exceeding it. */
function refresh(refresh_token: string, from = client): Promise<Answer> {
  used += 1;
  if (used % 8 === 0) stage.clock.advance({ minutes: 1 });
  return stage.post('/api/auth/token/refresh', { refresh_token }, from);
}

const me = (access: string): Promise<Answer> =>
  stage.get('/api/v1/me', { authorization: `Bearer ${access}` });

describe('200', () => {
  test('returns new tokens and the user for a refresh token', async () => {
    const first = await stage.signIn(account);
    const answer = await refresh(first.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const next = answer.json() as unknown as Tokens;
    expect(next).toMatchObject({ expires_in: 3600, user: first.user });
    expect(next.refresh_token).not.toBe(first.refresh_token);
    expect((await me(next.access_token)).status).toBe(200);
  });

  test('accepts a refresh token for exactly 30 days after each rotation', async () => {
    let { refresh_token } = await stage.signIn(account);
    for (let month = 0; month < 3; month += 1) {
      stage.clock.advance({ seconds: 30 * 86_400 - 1 });
      const answer = await stage.post('/api/auth/token/refresh', { refresh_token });
      expect(answer.status).toBe(200);
      refresh_token = answer.json()['refresh_token'] as string;
    }
    stage.clock.advance({ seconds: 30 * 86_400 });
    const late = await stage.post('/api/auth/token/refresh', { refresh_token });
    expectProblem(late, 401, 'invalid_refresh_token');
  });
});

describe('401', () => {
  test.each(['x', 'f'.repeat(64), '0'.repeat(256)])('%s is not a refresh token', async (text) => {
    expectProblem(await refresh(text), 401, 'invalid_refresh_token');
  });

  test('refuses a second use of a refresh token and, later than 10 s, revokes its family', async () => {
    const first = await stage.signIn(account);
    const next = (await refresh(first.refresh_token)).json() as unknown as Tokens;
    stage.clock.advance({ seconds: 10, microseconds: 1 });
    expectProblem(await refresh(first.refresh_token), 401, 'refresh_token_reused');
    expectProblem(await refresh(next.refresh_token), 401, 'invalid_refresh_token');
    stage.clock.advance({ seconds: 1 });
    expectProblem(await me(next.access_token), 401, 'unauthenticated');
  });

  test('refuses a concurrent refresh within 10 s and revokes nothing', async () => {
    const first = await stage.signIn(account);
    const next = (await refresh(first.refresh_token)).json() as unknown as Tokens;
    stage.clock.advance({ seconds: 10 });
    expectProblem(await refresh(first.refresh_token), 401, 'refresh_token_reused');
    expect((await me(next.access_token)).status).toBe(200);
    expect((await refresh(next.refresh_token)).status).toBe(200);
  });

  test.each([
    ['another address', { ...client, from: '198.51.100.2' }],
    ['another User-Agent', { ...client, headers: { 'user-agent': 'thief/1' } }],
  ])('revokes the family after a reuse within 10 s from %s', async (_what, thief) => {
    const first = await stage.signIn(account);
    const next = (await refresh(first.refresh_token)).json() as unknown as Tokens;
    expectProblem(await refresh(first.refresh_token, thief), 401, 'refresh_token_reused');
    expectProblem(await refresh(next.refresh_token), 401, 'invalid_refresh_token');
  });

  test('keeps other sessions of the account when a family is revoked', async () => {
    const [one, other] = [await stage.signIn(account), await stage.signIn(account)];
    await stage.post('/api/auth/token/revoke', { refresh_token: one.refresh_token });
    expectProblem(await refresh(one.refresh_token), 401, 'invalid_refresh_token');
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });
});

test('refuses an access token after exactly one hour', async () => {
  const { access_token } = await stage.signIn(account);
  stage.clock.advance({ seconds: 3599 });
  expect((await me(access_token)).status).toBe(200);
  stage.clock.advance({ seconds: 1 });
  expectProblem(await me(access_token), 401, 'unauthenticated');
});

test('ends a family with any of its tokens, and returns the same for an unknown token', async () => {
  const first = await stage.signIn(account);
  const next = (await refresh(first.refresh_token)).json() as unknown as Tokens;
  for (const refresh_token of [first.refresh_token, 'unknown']) {
    const answer = await stage.post('/api/auth/token/revoke', { refresh_token });
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
  }
  stage.clock.advance({ seconds: 1 });
  expectProblem(await me(next.access_token), 401, 'unauthenticated');
});
