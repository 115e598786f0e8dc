import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { exchangeCodeFor } from '../../../test/exchange-codes.ts';
import { deviceCookieOf, sendForm } from '../../../test/form-client.ts';
import type { TestAccount } from '../../../test/identity.ts';
import type { MailedIdentity } from '../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../test/mailed-identity.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

let account: TestAccount;
const home = '192.0.2.7';
beforeEach(async () => {
  account = await stage.createAccount();
});

const signIn = async (from: string, password = account.password): Promise<number> =>
  (await stage.post('/api/auth/token', { email: account.email, password }, { from })).status;
/** Each comes from another network. */
const form = (cookie = '') =>
  sendForm(stage, '/auth/signin', { email: account.email, password: account.password }, { cookie });
const announced = async (): Promise<number> => {
  const found = await stage.database.asSuperuser(
    `SELECT FROM identity.mail_request WHERE recipient = $1 AND kind = 'signed_in_from_new_place'`,
    [account.email],
  );
  return found.length;
};

describe('the owner gets an e-mail', () => {
  test('about a sign-in from another network, with a link to the security page', async () => {
    expect([await signIn(home), await announced()]).toEqual([200, 0]);
    expect([await signIn('203.0.113.9'), await announced()]).toEqual([200, 1]);
    await expect.poll(() => stage.mailbox.signInNews.length).toBe(1);
    const [mail] = stage.mailbox.signInNews;
    expect([mail?.to, mail?.body]).toEqual([[account.email], expect.stringContaining('/account/security')]);
  });

  test('about a browser without the device cookie, from another network', async () => {
    expect([(await form()).status, await announced()]).toEqual([303, 0]);
    expect([(await form()).status, await announced()]).toEqual([303, 1]);
  });

  test('about a program that uses its code from another network', async () => {
    const code = await exchangeCodeFor(stage.identity, account.id);
    expect((await stage.post('/api/auth/token/exchange', { code })).status).toBe(200);
    expect(await announced()).toBe(1);
  });
});

describe('no e-mail is sent', () => {
  test('about a second sign-in from the same network', async () => {
    for (const from of [home, '192.0.2.200']) expect(await signIn(from)).toBe(200);
    expect(await announced()).toBe(0);
  });

  test('about a browser with the device cookie, wherever it is', async () => {
    const device = deviceCookieOf(await form());
    expect([(await form(device)).status, await announced()]).toEqual([303, 0]);
  });

  test('about a wrong password', async () => {
    expect(await signIn(home)).toBe(200);
    expect([await signIn('203.0.113.9', 'not the password'), await announced()]).toEqual([401, 0]);
  });

  test('if the account had no sign-in within 30 days', async () => {
    expect(await signIn(home)).toBe(200);
    stage.clock.advance({ days: 31 });
    expect([await signIn('203.0.113.9'), await announced()]).toEqual([200, 0]);
  });
});
