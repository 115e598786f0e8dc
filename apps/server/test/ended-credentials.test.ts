import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { updatePasswordHash } from '../src/identity/accounts/account-store.ts';
import type { SessionId } from '../src/identity/credentials/session.ts';
import { createMailedToken } from '../src/identity/mail/mailed-token-store.ts';
import { changePassword, resetPassword } from '../src/identity/recovery/reset-password.ts';
import { beginSecondFactor, turnOnSecondFactor } from '../src/identity/second-factor/set-up-second-factor.ts';
import { openBrowserSession } from '../src/identity/sessions/browser-session.ts';
import { markSessionsRevoked } from '../src/identity/sessions/session-store.ts';
import { switchOffPassword } from '../src/identity/sign-in-methods/switch-off-password.ts';
import type { TestMember } from './access.ts';
import { createAuthenticator } from './authenticator.ts';
import { exchangeCodeFor } from './exchange-codes.ts';
import { expectProblem } from './http-client.ts';
import { openTokenDesk } from './platform-tokens.ts';
import type { TestStorage } from './storage.ts';
import { startTestStorage } from './storage.ts';
import { untilWaiting } from './waiting-session.ts';

type Headers = Readonly<Record<string, string>>;

const client = { address: '192.0.2.1', userAgent: 'browser' };
let stage: TestStorage;
let fileId: string;
let victim: TestMember;
let searchId: string;
let agentId: string;
beforeAll(async () => {
  stage = await startTestStorage();
  const project = await stage.newProject();
  fileId = (await stage.newFile(project.id, 'secret.txt', 'secret')).id;
});
afterAll(() => stage.stop());
beforeEach(async () => {
  victim = await stage.acme.addMember('admin');
  const search = await stage.post(
    '/api/v1/saved-searches',
    { query: { q: 'quasar' } },
    { headers: victim.headers },
  );
  searchId = String(search.json()['id']);
  const agents = `/dm/api/ai-mentor/orgs/${stage.acme.key}/users/${victim.username}/mentor-with-settings/`;
  const agent = { template_name: 'desk-researcher', new_mentor_name: `Briefer ${victim.username}` };
  agentId = String((await stage.send('POST', agents, victim.headers, agent)).json()['unique_id']);
});

const reset = async (): Promise<void> => {
  const { database, clock } = stage.identity;
  const token = await createMailedToken(database, 'reset_password', victim.id, clock.now());
  const password = 'a password only the owner knows';
  await resetPassword(stage.identity, { token, password, revokesAll: true, client });
};

/** What outlives the credential that created it, and the table with it. */
const creations = {
  webhook: {
    table: 'watch.webhook WHERE account_id',
    path: () => `/api/v1/saved-searches/${searchId}/webhooks`,
    json: () => ({ format: 'generic', address: 'https://hooks.example/x' }),
  },
  'feed address': {
    table: 'watch.feed_address WHERE account_id',
    path: () => `/api/v1/saved-searches/${searchId}/feed`,
    json: () => ({}),
  },
  link: {
    table: 'storage.link WHERE created_by',
    path: () => `/api/v1/files/${fileId}/links`,
    json: () => ({}),
  },
  share: {
    table: 'access.share WHERE created_by',
    path: () => `/api/v1/files/${fileId}/shares`,
    json: () => ({ member: stage.viewer.username, level: 'read' }),
  },
  schedule: {
    table: 'agents.schedule WHERE account_id',
    path: () => `/dm/api/ai-mentor/orgs/${stage.acme.key}/users/${victim.username}/agent-schedules/`,
    json: () => ({
      agent: agentId,
      name: 'Every morning',
      question: 'What did Veltrane announce?',
      repeats: 'daily',
      hour: 9,
      time_zone: 'UTC',
      deliver_to: 'mail',
    }),
  },
  invitation: {
    table: 'identity.invitation WHERE cancelled_at IS NULL AND invited_by',
    path: () => '/dm/api/core/rbac/invitations/',
    json: () => ({
      platform_key: stage.acme.key,
      email: `${victim.username}-accomplice@example.net`,
      role: 'admin',
    }),
  },
  'platform token': {
    table: 'access.platform_token WHERE created_by',
    path: () => '/dm/api/core/platform/api-tokens/',
    json: () => openTokenDesk(stage, stage.acme).body(victim, { mode: 'owner' }),
  },
} as const;
type Creation = keyof typeof creations;
const byKey: readonly Creation[] = ['webhook', 'feed address', 'link', 'share'];

/** The process has authenticated the caller before, and has not noticed the recovery yet. Returns what was created. */
async function create(creation: Creation, headers: Headers): Promise<readonly unknown[]> {
  const { table, path, json } = creations[creation];
  const { status } = await stage.send('POST', path(), headers, json());
  return [status, ...(await stage.database.asSuperuser(`SELECT FROM ${table} = $1`, [victim.id]))];
}

describe('a request that was authenticated before a recovery ended its credential', () => {
  test.each(Object.keys(creations) as Creation[])('with a session creates no %s', async (creation) => {
    await stage.send('GET', '/api/v1/me', victim.headers);
    await stage.send('GET', `/dm/api/core/rbac/members/?platform_key=${stage.acme.key}`, victim.headers);
    await reset();
    expect(await create(creation, victim.headers)).toEqual([404]);
  });

  test.each(byKey)('with an API key creates no %s', async (creation) => {
    const made = await stage.post('/api/v1/api-keys', { name: 'test' }, { headers: victim.headers });
    const headers = { 'x-api-key': String(made.json()['key']) };
    await stage.send('GET', '/api/v1/me', headers);
    await reset();
    expect(await create(creation, headers)).toEqual([404]);
  });

  test('does not set the password that it asked for', async () => {
    const { database } = stage.identity;
    const [session] = await stage.database.asSuperuser(
      'SELECT id FROM identity.session WHERE account_id = $1',
      [victim.id],
    );
    const change = {
      accountId: victim.id,
      sessionId: session?.['id'] as SessionId,
      currentPassword: victim.password,
      newPassword: 'a password that the intruder chose',
      client,
    };
    const changed = await database.transaction().execute(async (transaction) => {
      await updatePasswordHash(transaction, victim.id, 'of the owner');
      // Not awaited here: it waits for this transaction.
      const waiting = { changing: changePassword(stage.identity, change) };
      waiting.changing.catch(() => {});
      await untilWaiting(stage.database, 'identity');
      await markSessionsRevoked(transaction, { accountId: victim.id }, 'password_changed', stage.clock.now());
      return waiting;
    });
    await expect(changed.changing).rejects.toThrow(/invalid_credentials/);
    const [account] = await stage.database.asSuperuser(
      'SELECT password_hash FROM identity.account WHERE id = $1',
      [victim.id],
    );
    expect(account).toEqual({ password_hash: 'of the owner' });
  });

  test('does not turn on a second factor', async () => {
    const { database } = stage.identity;
    const { sealed, secret } = beginSecondFactor(stage.identity, victim);
    const code = createAuthenticator(secret)(stage.clock.nowMs());
    const request = { accountId: victim.id, password: victim.password, code, client, setUp: sealed };
    const turned = await database.transaction().execute(async (transaction) => {
      await updatePasswordHash(transaction, victim.id, 'of the owner');
      const waiting = { turningOn: turnOnSecondFactor(stage.identity, request) };
      waiting.turningOn.catch(() => {});
      await untilWaiting(stage.database, 'identity');
      return waiting;
    });
    await expect(turned.turningOn).rejects.toThrow(/invalid_credentials/);
    expect(
      await stage.database.asSuperuser('SELECT FROM identity.second_factor WHERE account_id = $1', [
        victim.id,
      ]),
    ).toEqual([]);
  });
});

test('removing the password ends the codes with which a program could still sign in', async () => {
  await stage.database.asSuperuser(
    `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
     VALUES (gen_random_uuid(), $1, $2, $2, 0, 'of the owner', now())`,
    [victim.id, Buffer.from(victim.id)],
  );
  const code = await exchangeCodeFor(stage.identity, victim.id);
  const own = { accountId: victim.id, client, method: 'password' } as const;
  const { sessionId } = await openBrowserSession(stage.identity, own);
  const passkey = { challenge: '', response: '' };
  const proof = { password: victim.password, code: '', mailedCode: '', passkey };
  await switchOffPassword(stage.identity, { accountId: victim.id, sessionId, proof, client });
  expectProblem(await stage.post('/api/auth/token/exchange', { code }), 401, 'invalid_exchange_code');
});

test('a recovery ends what a superuser created in organizations of others', async () => {
  await stage.database.asSuperuser('UPDATE identity.account SET superuser = true WHERE id = $1', [victim.id]);
  const other = await stage.createOrganization();
  const desk = openTokenDesk(stage, other);
  await desk.made(victim, { mode: 'owner' });
  const email = `${victim.username}-second@example.net`;
  const invited = await stage.send('POST', '/dm/api/core/rbac/invitations/', victim.headers, {
    platform_key: other.key,
    email,
    role: 'admin',
  });
  expect(invited.status).toBe(201);
  await reset();
  for (const creation of ['platform token', 'invitation'] as const)
    expect(
      await stage.database.asSuperuser(`SELECT FROM ${creations[creation].table} = $1`, [victim.id]),
    ).toEqual([]);
});
