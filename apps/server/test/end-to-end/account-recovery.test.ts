import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  insertEmailChange,
  markEmailChangeConfirmed,
} from '../../src/identity/email-change/email-change-store.ts';
import { undoEmailChange } from '../../src/identity/email-change/undo-email-change.ts';
import { createMailedToken } from '../../src/identity/mail/mailed-token-store.ts';
import { changePassword, resetPassword } from '../../src/identity/recovery/reset-password.ts';
import type { TestMember } from '../access.ts';
import { exchangeCodeFor } from '../exchange-codes.ts';
import { ask } from '../http-client.ts';
import { openTokenDesk } from '../platform-tokens.ts';
import type { TestStorage } from '../storage.ts';
import { startTestStorage } from '../storage.ts';

const client = { address: '192.0.2.1', userAgent: 'browser' };
const newPassword = 'a password only the owner knows';
let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

/** The credentials that an intruder creates, and whether each still works. */
type Traces = Readonly<Record<string, () => Promise<boolean>>>;

/** The intruder has an administrator's session and creates one of each kind. */
async function leaveTraces(victim: TestMember): Promise<Traces> {
  const { acme, database } = stage;
  const made = async (path: string, json: unknown): Promise<Record<string, unknown>> => {
    const answer = await stage.send('POST', path, victim.headers, json);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.json();
  };
  const { key } = await made('/api/v1/api-keys', { name: 'intruder' });
  const token = await openTokenDesk(stage, acme).made(victim, {
    mode: 'owner',
    name: `of ${victim.username}`,
  });
  const email = `${victim.username}-accomplice@example.net`;
  await made('/dm/api/core/rbac/invitations/', { platform_key: acme.key, email, role: 'admin' });
  const code = await exchangeCodeFor(stage.identity, victim.id);
  const project = await stage.newProject(`of ${victim.username}`);
  const file = await stage.newFile(project.id, 'secret.txt', 'secret');
  const { url } = await made(`/api/v1/files/${file.id}/links`, {});
  const guest = await acme.addMember('guest');
  await made(`/api/v1/files/${file.id}/shares`, { member: guest.username, level: 'read' });
  const own = [victim.id, Buffer.from(victim.id)];
  await database.asSuperuser(
    `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
     VALUES (gen_random_uuid(), $1, $2, $2, 0, 'intruder', now())`,
    own,
  );
  await database.asSuperuser(
    `INSERT INTO identity.external_identity (issuer, subject, account_id, created_at)
     VALUES ('https://provider.example', $1::text, $1::uuid, now())`,
    [victim.id],
  );
  const count = async (text: string): Promise<boolean> =>
    Number((await database.asSuperuser(`SELECT count(*) FROM ${text}`, [victim.id]))[0]?.['count']) > 0;
  const isOk = async (answer: Promise<{ readonly status: number }>): Promise<boolean> =>
    (await answer).status < 300;
  return {
    session: () => isOk(stage.get('/api/v1/me', victim.headers)),
    'API key': () => isOk(stage.get('/api/v1/me', { 'x-api-key': String(key) })),
    'platform token': () =>
      isOk(stage.send('GET', `/dm/api/core/rbac/members/?platform_key=${acme.key}`, token.headers)),
    invitation: () => count(`identity.invitation WHERE invited_by = $1 AND cancelled_at IS NULL`),
    link: () => isOk(ask(stage.app.port, new URL(String(url)).pathname)),
    share: () => isOk(stage.contentOf(file.id, guest.headers)),
    passkey: () => count('identity.passkey WHERE account_id = $1'),
    provider: () => count('identity.external_identity WHERE account_id = $1'),
    'exchange code': () => isOk(stage.post('/api/auth/token/exchange', { code })),
  };
}

async function stillActing(traces: Traces): Promise<readonly string[]> {
  stage.age();
  const acting: string[] = [];
  for (const [name, acts] of Object.entries(traces)) if (await acts()) acting.push(name);
  return acting;
}

/** By mail, with “revoke everything”, or without. */
async function reset(victim: TestMember, revokesAll: boolean): Promise<void> {
  const now = stage.clock.now();
  const token = await createMailedToken(stage.identity.database, 'reset_password', victim.id, now);
  await resetPassword(stage.identity, { token, password: newPassword, revokesAll, client });
}

async function undo(victim: TestMember): Promise<void> {
  const { database, clock, ids } = stage.identity;
  const id = ids.next<'e-mail change'>();
  const address = (written: string) => ({ written, normalised: written as never });
  const email = address(`${victim.username}-thief@example.net`);
  await insertEmailChange(database, { id, accountId: victim.id, email, createdAt: clock.now() });
  await markEmailChangeConfirmed(database, id, address(victim.email), clock.now());
  const token = await createMailedToken(database, 'undo_email', id, clock.now());
  await undoEmailChange(stage.identity, { token, client });
}

const addSecondFactor = (victim: TestMember, daysAgo: number) =>
  stage.database.asSuperuser(
    `INSERT INTO identity.second_factor (account_id, secret, last_step, created_at)
     VALUES ($1, '\\x00', 0, $2::timestamptz - make_interval(days => $3))`,
    [victim.id, new Date(stage.clock.nowMs()).toISOString(), daysAgo],
  );
const hasSecondFactor = async ({ id }: TestMember): Promise<boolean> =>
  (await stage.database.asSuperuser('SELECT FROM identity.second_factor WHERE account_id = $1', [id]))
    .length > 0;

describe('credentials that an intruder created', () => {
  const everything = [
    ['a reset by mail that revokes everything', (victim: TestMember) => reset(victim, true)],
    ['the undoing of a change of the e-mail address', undo],
  ] as const;
  test.each(everything)('stop working after %s', async (_name, recover) => {
    const victim = await stage.acme.addMember('admin');
    const traces = await leaveTraces(victim);
    await recover(victim);
    expect(await stillActing(traces)).toEqual([]);
  });

  test('end when the owner changes the password if they are sessions or exchange codes, but not API keys', async () => {
    const victim = await stage.acme.addMember('admin');
    const { access_token } = await stage.signIn(victim);
    const own = { ...victim, headers: { authorization: `Bearer ${access_token}` } };
    const [session] = await stage.database.asSuperuser(
      'SELECT id FROM identity.session WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [victim.id],
    );
    const traces = await leaveTraces(victim);
    await changePassword(stage.identity, {
      accountId: victim.id,
      sessionId: session?.['id'] as never,
      currentPassword: victim.password,
      newPassword,
      client,
    });
    const acting = await stillActing(traces);
    expect(acting).not.toContain('session');
    expect(acting).not.toContain('exchange code');
    expect(acting).toContain('API key');
    expect((await stage.get('/api/v1/me', own.headers)).status).toBe(200);
  });

  test('include a second factor that is newer than seven days, but not an older one', async () => {
    for (const [, recover] of everything) {
      const [recent, old] = [await stage.acme.addMember('member'), await stage.acme.addMember('member')];
      await addSecondFactor(recent, 6);
      await addSecondFactor(old, 8);
      await recover(recent);
      await recover(old);
      expect([await hasSecondFactor(recent), await hasSecondFactor(old)]).toEqual([false, true]);
    }
  });
});
