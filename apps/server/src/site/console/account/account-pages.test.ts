import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { TestIdentity } from '../../../../test/identity.ts';
import { startTestIdentity } from '../../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

const password = 'another long password';
const change = (cookie: string, currentPassword: string, newPassword = password) =>
  sendForm(stage, '/account/password', { currentPassword, newPassword }, { cookie });

/** The sentences of an activity page, and the link to older ones. */
async function readActivity(cookie: string, path = '/account/activity') {
  const { status, text } = await openPage(stage, path, cookie);
  expect(status).toBe(200);
  const sentences = [...text.matchAll(/data-column="Event"[^>]*>\s*<span[^>]*>([^<]*)</g)].map(
    ([, sentence]) => sentence,
  );
  const [, after] = /href="\?after(?:=|&#61;)([0-9a-f-]{36})"/.exec(text) ?? [];
  return { sentences, older: after === undefined ? undefined : `/account/activity?after=${after}` };
}

describe('200', () => {
  test('a changed password ends every session except the one that changed it', async () => {
    const account = await stage.createAccount();
    const [own, other] = [await signInForCookie(stage, account), await signInForCookie(stage, account)];
    const changed = await change(own, account.password);
    expect([changed.status, changed.text]).toEqual([
      200,
      expect.stringContaining('All other sessions are signed out'),
    ]);
    expect((await openPage(stage, '/account', own)).status).toBe(200);
    expect((await openPage(stage, '/account', other)).status).toBe(303);
    await signInForCookie(stage, { ...account, password });
  });

  test('the display name is changed on the first page and recorded in the activity', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const rename = (name: string) => sendForm(stage, '/account', { name }, { cookie });
    const saved = await rename('  Ann 安 Example ');
    expect([saved.status, saved.text]).toEqual([200, expect.stringMatching(/<h1>Ann 安 Example</)]);
    const members = await openPage(stage, `/platform/${account.organizationKey}/members`, cookie);
    expect(members.text).toContain('>Ann 安 Example<');
    expect((await stage.signIn(account)).user['name']).toBe('Ann 安 Example');
    const { sentences } = await readActivity(cookie);
    expect(sentences).toContain('You changed your name to “Ann 安 Example”.');
    for (const name of ['', 'Visit evil.example']) {
      const refused = await rename(name);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('id="name-fault"')]);
      expect(refused.text).toContain(`value="${name}"`);
    }
    expect((await openPage(stage, '/account', cookie)).text).toContain('value="Ann 安 Example"');
  });

  test('an account without a password sees how to set one, and the button requests the link', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    await stage.database.asSuperuser('UPDATE identity.account SET password_hash = NULL WHERE id = $1', [
      account.id,
    ]);
    const { text } = await openPage(stage, '/account/password', cookie);
    expect(text).toContain('Your account has no password');
    expect(text).not.toContain('currentPassword');
    expect(text).toMatch(/action="\/auth\/forgot"[^]*name="email" value="[^"]*@example.org"/);
    expect((await sendForm(stage, '/auth/forgot', { email: account.email }, { cookie })).status).toBe(200);
  });

  test('a key is shown with a working command, and can be limited to organizations', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const { organizationId } = (await stage.signIn(account)).user;
    const organizations = organizationId;
    const made = await sendForm(
      stage,
      '/account/api-keys',
      { name: 'one', organizations, currentPassword: account.password },
      { cookie },
    );
    const [, header = ''] = /curl -H &#39;x-api-key: ([0-9a-f]{64})&#39;/.exec(made.text) ?? [];
    const me = (await stage.get('/api/v1/me', { 'x-api-key': header })).json();
    expect(me['credential']).toMatchObject({ name: 'one', scopes: { organizations: [organizationId] } });
    expect(made.text).toContain('Revoke one');
    const fields = { name: '', days: '30', organizations };
    const kept = await sendForm(stage, '/account/api-keys', fields, { cookie });
    expect([kept.status, kept.text]).toEqual([400, expect.stringContaining('id="name-fault"')]);
    expect(kept.text).toMatch(/<option value="30" selected/);
    expect(kept.text).toMatch(/name="organizations"\s+value="[^"]+"\s+checked/);
  });

  test('activity is listed in sentences, newest first, with pagination, to its owner alone', async () => {
    const [account, stranger] = [await stage.createAccount(), await stage.createAccount()];
    const cookie = await signInForCookie(stage, account);
    for (let made = 1; made <= 30; made += 1)
      await sendForm(
        stage,
        '/account/api-keys',
        { name: `key ${made} <b>`, currentPassword: account.password },
        { cookie },
      );
    const first = await readActivity(cookie);
    expect(first.sentences).toHaveLength(25);
    expect(first.sentences[0]).toBe('You created the API key “key 30 &#60;b&#62;”.');
    const second = await readActivity(cookie, first.older);
    expect(second.sentences).toHaveLength(7);
    expect(second.sentences.slice(-2)).toEqual(['Signed in with the password.', 'The account was created.']);
    expect(second.older).toBeUndefined();
    const theirs = await readActivity(await signInForCookie(stage, stranger), first.older);
    expect(theirs.sentences.join()).not.toContain('key');
  });
});

describe('303', () => {
  test.each([
    '/account',
    '/account/sessions',
    '/account/api-keys',
    '/account/password',
    '/account/organization',
    '/account/activity',
  ])('%s sends a visitor without a session to sign-in and back', async (path) => {
    const { status, headers } = await openPage(stage, path);
    expect([status, headers.location]).toEqual([303, `/auth/signin?return=${encodeURIComponent(path)}`]);
  });

  test('a form sent after signing out changes nothing', async () => {
    const answer = await change('', 'whatever');
    expect([answer.status, answer.headers.location]).toEqual([303, '/auth/signin']);
  });
});

describe('400', () => {
  test('a new password that is too short is marked, and not sent back', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const { status, text } = await change(cookie, account.password, 'too short');
    expect([status, text]).toEqual([400, expect.stringContaining('id="newPassword-fault"')]);
    expect(text).not.toContain(account.password);
    expect(text).not.toContain('value="too short"');
  });

  test.each(["1'--", '-'.repeat(36)])('%s is no id of anything', async (id) => {
    const cookie = await signInForCookie(stage, await stage.createAccount());
    expect((await openPage(stage, `/account/activity?after=${id}`, cookie)).status).toBe(400);
    for (const path of ['/account/sessions', '/account/api-keys'])
      expect((await sendForm(stage, `${path}/${id}/revoke`, {}, { cookie })).status).toBe(400);
  });
});

describe('401', () => {
  test('a wrong current password is marked; five lock the session’s counter, even for the right one', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    for (let failure = 0; failure < 5; failure += 1) {
      const { status, text } = await change(cookie, 'not the password');
      expect([status, text]).toEqual([401, expect.stringContaining('This password is wrong.')]);
    }
    const locked = await change(cookie, account.password);
    expect([locked.status, locked.text]).toEqual([401, expect.stringContaining('Temporarily locked')]);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('404', () => {
  test('sessions and keys of others cannot be ended', async () => {
    const [account, stranger] = [await stage.createAccount(), await stage.createAccount()];
    const cookie = await signInForCookie(stage, account);
    const security = await openPage(stage, '/account/security', await signInForCookie(stage, account));
    const [, id = ''] = /value="sessions"[^]*?name="id" value="([0-9a-f-]{36})"/.exec(security.text) ?? [];
    expect(id).not.toBe('');
    const theirs = await signInForCookie(stage, stranger);
    expect((await sendForm(stage, `/account/sessions/${id}/revoke`, {}, { cookie: theirs })).status).toBe(
      404,
    );
    await sendForm(stage, '/account/security/end', { kind: 'sessions', id }, { cookie: theirs });
    expect((await openPage(stage, '/account', cookie)).status).toBe(200);
    const key = `/account/api-keys/${stranger.id}/revoke`;
    expect((await sendForm(stage, key, {}, { cookie })).status).toBe(404);
  });
});

describe('429', () => {
  test('changing the password counts in the window of the sign-in form', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const from = '192.0.2.77';
    const statuses = [];
    for (let sent = 0; sent < 11; sent += 1) {
      const fields = { currentPassword: account.password, newPassword: 'short' };
      const path = sent % 2 === 0 ? '/account/password' : '/auth/signin';
      statuses.push(
        (await sendForm(stage, path, path === '/auth/signin' ? {} : fields, { cookie, from })).status,
      );
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses[10]).toBe(429);
  });
});
