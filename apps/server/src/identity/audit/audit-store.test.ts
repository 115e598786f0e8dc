import { afterAll, beforeAll, expect, test } from 'vitest';

import { ask } from '../../../test/http-client.ts';
import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { createExchangeCode } from '../sign-in/exchange-code.ts';
import { readAuditLog } from './audit-store.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'test' };

test('every security event of an account is there for its owner, the newest first, page by page', async () => {
  const account = await stage.createAccount();
  const tokens = await stage.signIn(account);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await stage.post('/api/auth/token', { email: account.email, password: 'wrong password' });
  const key = await ask(stage.app.port, '/api/v1/api-keys', { method: 'POST', json: { name: 'x' }, headers });
  await ask(stage.app.port, `/api/v1/api-keys/${String(key.json()['id'])}`, { method: 'DELETE', headers });
  await createExchangeCode(stage.identity, { accountId: account.id, codeChallenge: null, client });
  await stage.post('/api/auth/token/revoke', { refresh_token: tokens.refresh_token });
  const expected = [
    'session_revoked',
    'exchange_code_created',
    'api_key_revoked',
    'api_key_created',
    'sign_in_failed',
    'session_opened',
    'account_created',
  ];
  const all = await readAuditLog(stage.identity.database, account.id, { limit: 50 });
  expect(all.map(({ kind }) => kind)).toEqual(expected);
  const paged: string[] = [];
  for (let page = await readAuditLog(stage.identity.database, account.id, { limit: 3 }); page.length > 0;) {
    paged.push(...page.map(({ kind }) => kind));
    const after = page.at(-1)!.id;
    page = await readAuditLog(stage.identity.database, account.id, { limit: 3, after });
  }
  expect(paged).toEqual(expected);
});

test('nobody who serves requests may change or remove what is written', async () => {
  for (const statement of [
    'UPDATE identity.audit_event SET kind = kind',
    'DELETE FROM identity.audit_event',
    'TRUNCATE identity.audit_event',
  ])
    await expect(stage.database.pool.query(statement)).rejects.toThrow(/permission denied/);
});
