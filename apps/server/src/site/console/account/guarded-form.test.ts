import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { TestAccount } from '../../../../test/identity.ts';
import type { MailedIdentity } from '../../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../../test/mailed-identity.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

interface SignedIn extends TestAccount {
  readonly cookie: string;
}

/** As after signing up through a provider. */
async function withoutPassword(): Promise<SignedIn> {
  const account = await stage.createAccount();
  const cookie = await signInForCookie(stage, account);
  await stage.database.asSuperuser('UPDATE identity.account SET password_hash = NULL WHERE id = $1', [
    account.id,
  ]);
  return { ...account, cookie };
}

const path = '/account/api-keys';
const createKey = (account: SignedIn, proof: Readonly<Record<string, string>>) =>
  sendForm(stage, path, { name: 'one', ...proof }, account);
const requestCode = (account: SignedIn, action = 'create_api_key') =>
  sendForm(stage, '/account/confirm', { action, return: path }, account);

describe('an account without a password', () => {
  test('confirms with a code from the e-mail, once, which names the action', async () => {
    const account = await withoutPassword();
    const page = await openPage(stage, path, account.cookie);
    expect(page.text).toContain(`Send a code to ${account.email}`);
    expect(page.text).not.toContain('Current password');
    const asked = await requestCode(account);
    expect([asked.status, asked.headers.location]).toEqual([303, path]);
    const { subject, body } = await stage.mailbox.latestTo(account.email);
    expect(body).toContain('Enter this code to create an API key');
    const [, code = ''] = /^Your code is ([A-Z2-7]{4}-[A-Z2-7]{4})$/.exec(subject) ?? [];
    expect((await openPage(stage, path, account.cookie)).text).toContain('We sent a code at');
    expect((await createKey(account, { mailed_code: code.toLowerCase().replace('-', ' ') })).status).toBe(
      200,
    );
    const again = await createKey(account, { mailed_code: code });
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('id="mailed_code-fault"')]);
  });

  test('is refused without a code, and with its former password', async () => {
    const account = await withoutPassword();
    for (const proof of [{}, { currentPassword: account.password }, { mailed_code: 'AAAA-AAAA' }])
      expect((await createKey(account, proof)).status).toBe(401);
  });

  test('gets at most five codes in an hour', async () => {
    const account = await withoutPassword();
    const answers = [];
    for (let asked = 1; asked <= 6; asked += 1) answers.push((await requestCode(account)).status);
    expect(answers).toEqual([303, 303, 303, 303, 303, 429]);
  });
});

test('a request for a code returns only to pages of this site, and names a known action', async () => {
  const account = await withoutPassword();
  const form = { action: 'create_api_key', return: 'https://evil.example/' };
  const led = await sendForm(stage, '/account/confirm', form, account);
  expect(led.headers.location).toBe('/account');
  expect((await requestCode(account, 'become_owner')).status).toBe(400);
});
