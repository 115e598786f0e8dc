import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccount, TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { removeLeftovers } from '../housekeeping-store.ts';
import { openBrowserSession, readBrowserSession } from './browser-session.ts';
import type { SessionListener } from './open-session.ts';
import { revokeOwnSession } from './revoke-session.ts';
import { listSessions } from './session-store.ts';

let stage: TestIdentity;
let account: TestAccount;
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'browser/1' };
const open = (accountId = account.id) =>
  openBrowserSession(stage.identity, { accountId, client, method: 'password' });

test('identifies the account of a session secret, for 30 days', async () => {
  const { secret, sessionId } = await open();
  expect(await readBrowserSession(stage.identity, secret)).toMatchObject({
    sessionId,
    account: { id: account.id },
  });
  expect(await readBrowserSession(stage.identity, 'f'.repeat(64))).toBeNull();
  stage.clock.advance({ seconds: 30 * 86_400 });
  expect(await readBrowserSession(stage.identity, secret)).toBeNull();
});

test('runs the session listener in the transaction that opens the session: its failure opens none', async () => {
  const { id: accountId } = await stage.createAccount();
  const sessions = () => listSessions(stage.identity.database, accountId, stage.clock.now());
  const seen: unknown[] = [];
  const opening: SessionListener['opening'] = async (transaction, _deps, signedIn) => {
    seen.push(signedIn, (await listSessions(transaction, accountId, stage.clock.now())).length);
    throw new Error('the listener failed');
  };
  const deps = { ...stage.identity, sessionListener: { ...stage.identity.sessionListener, opening } };
  const signIn = { accountId, client, method: 'password' } as const;
  await expect(openBrowserSession(deps, signIn)).rejects.toThrow('the listener failed');
  expect(seen).toEqual([{ accountId, client }, 0]);
  expect(await sessions()).toEqual([]);
  await openBrowserSession(stage.identity, signIn);
  expect(await sessions()).toHaveLength(1);
});

test('lists sessions of both kinds to their owner, who alone can end them', async () => {
  const owner = await stage.createAccount();
  await stage.signIn(owner);
  stage.clock.advance({ seconds: 1 });
  const { secret, sessionId } = await open(owner.id);
  const sessions = await listSessions(stage.identity.database, owner.id, stage.clock.now());
  expect(sessions.map(({ kind }) => kind)).toEqual(['browser', 'token']);
  expect(sessions[0]).toMatchObject({ id: sessionId, address: client.address, userAgent: client.userAgent });
  const end = (accountId: typeof owner.id) =>
    revokeOwnSession(stage.identity, { accountId, sessionId, client });
  expect(await end(account.id)).toBe(false);
  expect(await end(owner.id)).toBe(true);
  expect(await end(owner.id)).toBe(false);
  expect(await readBrowserSession(stage.identity, secret)).toBeNull();
  expect(await listSessions(stage.identity.database, owner.id, stage.clock.now())).toHaveLength(1);
});

test('deletes long-ended sessions with all dependent rows and keeps live ones', async () => {
  const { refresh_token } = await stage.signIn(account);
  stage.clock.advance({ seconds: 61 * 86_400 });
  const fresh = await stage.signIn(account);
  expect(await removeLeftovers(stage.identity.database, stage.clock.now())).toBeGreaterThan(0);
  const rows = await stage.database.asSuperuser('SELECT count(*)::int AS sessions FROM identity.session');
  expect(rows).toEqual([{ sessions: 1 }]);
  expect((await stage.post('/api/auth/token/refresh', { refresh_token })).status).toBe(401);
  const { refresh_token: living } = fresh;
  expect((await stage.post('/api/auth/token/refresh', { refresh_token: living })).status).toBe(200);
});
