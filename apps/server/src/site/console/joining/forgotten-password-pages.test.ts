import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { MailedIdentity } from '../../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../../test/mailed-identity.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

const password = 'another long password';

describe('200', () => {
  test('requesting a link answers the same whether or not the address has an account', async () => {
    const { email } = await stage.createAccount();
    const nobody = 'nobody@example.net';
    const known = await sendForm(stage, '/auth/forgot', { email });
    const unknown = await sendForm(stage, '/auth/forgot', { email: nobody });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(known.text.replaceAll(email, '')).toBe(unknown.text.replaceAll(nobody, ''));
  });

  test('the link sets the password, ends the session of the browser too and redirects nowhere outside', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    await sendForm(stage, '/auth/forgot', { email: account.email });
    const token = await stage.tokenFor(account.email);
    const page = await openPage(stage, `/auth/reset?token=${token}`, cookie);
    expect(page.status).toBe(200);
    expect(page.headers['referrer-policy']).toBe('same-origin');
    expect([...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to)).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/^(?!data:,)(?:[a-z]+:|\/\/)/)]),
    );
    const set = await sendForm(stage, '/auth/reset', { token, password }, { cookie });
    expect([set.status, set.text]).toEqual([200, expect.stringContaining('Password set')]);
    expect((await openPage(stage, '/account', cookie)).status).toBe(303);
    await signInForCookie(stage, { ...account, password });
  });
});

describe('API keys and passkeys at a reset', () => {
  const kept = async (fields: Readonly<Record<string, string>>) => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const asked = { name: 'one', currentPassword: account.password };
    const made = await sendForm(stage, '/account/api-keys', asked, { cookie });
    const [, key = ''] = />([0-9a-f]{64})</.exec(made.text) ?? [];
    await stage.database.asSuperuser(
      `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
       VALUES (gen_random_uuid(), $1, $2, $2, 0, 'laptop', now())`,
      [account.id, Buffer.from(account.id)],
    );
    await stage.mailbox.latestTo(account.email);
    await sendForm(stage, '/auth/forgot', { email: account.email });
    const token = await stage.tokenFor(account.email, 2);
    expect((await sendForm(stage, '/auth/reset', { token, password, ...fields })).status).toBe(200);
    stage.clock.advance({ seconds: 1 });
    const again = await signInForCookie(stage, { ...account, password });
    const { text } = await openPage(stage, '/account/passkeys', again);
    const { status } = await stage.get('/api/v1/me', { 'x-api-key': key });
    return { key: status, passkeys: text.includes('laptop') };
  };

  test('stay valid unless the person chooses to end them', async () => {
    expect(await kept({})).toEqual({ key: 200, passkeys: true });
  });

  test('end with the password where the person chooses it', async () => {
    expect(await kept({ revoke: 'everything' })).toEqual({ key: 401, passkeys: false });
  });
});

describe('400', () => {
  test('an invalid e-mail address is marked', async () => {
    const { status, text } = await sendForm(stage, '/auth/forgot', { email: 'a"><script>b' });
    expect([status, text]).toEqual([400, expect.stringContaining('id="email-fault"')]);
    expect(text).not.toContain('<script>b');
  });

  test("a password that is short, common or contains its owner's name is refused, and the link stays valid", async () => {
    const account = await stage.createAccount();
    await sendForm(stage, '/auth/forgot', { email: account.email });
    const token = await stage.tokenFor(account.email);
    for (const [bad, message] of [
      ['short', 'must have 10 to 256 characters'],
      ['Password2026!', 'too common'],
      [`${account.email} 77`, 'contains your e-mail address'],
    ] as const) {
      const refused = await sendForm(stage, '/auth/reset', { token, password: bad });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('id="password-fault"')]);
      expect(refused.text).toContain(message);
    }
    expect((await sendForm(stage, '/auth/reset', { token, password })).status).toBe(200);
  });

  test('a used link and an hour-old link say so and offer a new one', async () => {
    const [used, late] = [await stage.createAccount(), await stage.createAccount()];
    for (const { email } of [used, late]) await sendForm(stage, '/auth/forgot', { email });
    const token = await stage.tokenFor(used.email);
    await sendForm(stage, '/auth/reset', { token, password });
    const lateToken = await stage.tokenFor(late.email);
    stage.clock.advance({ hours: 1 });
    for (const dead of [token, lateToken, ''])
      for (const { status, text } of [
        await openPage(stage, `/auth/reset?token=${dead}`),
        await sendForm(stage, '/auth/reset', { token: dead, password }),
      ]) {
        expect([status, text]).toEqual([400, expect.stringContaining('is no longer valid')]);
        expect(text).toContain('href="/auth/forgot"');
      }
  });
});
