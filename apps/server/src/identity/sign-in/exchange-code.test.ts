import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exchangeCodeFor } from '../../../test/exchange-codes.ts';
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

const verifier = 'v'.repeat(43);
const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const create = (codeChallenge: string | null = null): Promise<string> =>
  exchangeCodeFor(stage.identity, account.id, codeChallenge);
const exchange = (code: string, code_verifier?: string): Promise<Answer> =>
  stage.post('/api/auth/token/exchange', { code, ...(code_verifier === undefined ? {} : { code_verifier }) });
const me = ({ access_token }: Tokens): Promise<Answer> =>
  stage.get('/api/v1/me', { authorization: `Bearer ${access_token}` });

describe('200', () => {
  test('returns valid tokens for a code, which can be refreshed', async () => {
    const answer = await exchange(await create());
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const tokens = answer.json() as unknown as Tokens;
    expect(tokens.user['id']).toBe(account.id);
    expect((await me(tokens)).status).toBe(200);
    const { refresh_token } = tokens;
    expect((await stage.post('/api/auth/token/refresh', { refresh_token })).status).toBe(200);
  });

  test('accepts a code for exactly 60 seconds', async () => {
    const [early, late] = [await create(), await create()];
    stage.clock.advance({ seconds: 59, milliseconds: 999 });
    expect((await exchange(early)).status).toBe(200);
    stage.clock.advance({ milliseconds: 1 });
    expectProblem(await exchange(late), 401, 'invalid_exchange_code');
  });

  test('requires the verifier for a code with a challenge', async () => {
    const code = await create(challengeOf(verifier));
    expectProblem(await exchange(code), 401, 'invalid_exchange_code');
    expectProblem(await exchange(code, 'w'.repeat(43)), 401, 'invalid_exchange_code');
    expect((await exchange(code, verifier)).status).toBe(200);
  });
});

describe('400', () => {
  test.each([[{ code: 1 }], [{ code: '' }], [{}], [{ code: 'x', code_verifier: 'short' }]])(
    '%j is an invalid request',
    async (body) => {
      expectProblem(await stage.post('/api/auth/token/exchange', body), 400, 'invalid_request');
    },
  );
});

describe('401', () => {
  test('refuses a second use; within 10 s the session of the first use stays', async () => {
    const code = await create();
    const tokens = (await exchange(code)).json() as unknown as Tokens;
    stage.clock.advance({ seconds: 10 });
    expectProblem(await exchange(code), 401, 'invalid_exchange_code');
    expect((await me(tokens)).status).toBe(200);
  });

  test('revokes the session of the first use at a second use more than 10 s later', async () => {
    const code = await create();
    const tokens = (await exchange(code)).json() as unknown as Tokens;
    stage.clock.advance({ seconds: 10, microseconds: 1 });
    expectProblem(await exchange(code), 401, 'invalid_exchange_code');
    stage.clock.advance({ seconds: 1 });
    expectProblem(await me(tokens), 401, 'unauthenticated');
    const { refresh_token } = tokens;
    const refreshed = await stage.post('/api/auth/token/refresh', { refresh_token });
    expectProblem(refreshed, 401, 'invalid_refresh_token');
  });

  test('refuses an invented code, and a verifier without a challenge', async () => {
    expectProblem(await exchange('f'.repeat(64)), 401, 'invalid_exchange_code');
    expectProblem(await exchange(await create(), verifier), 401, 'invalid_exchange_code');
  });
});
