import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exchangeCodeFor } from '../../../../test/exchange-codes.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import type { TestAccount, TestIdentity } from '../../../../test/identity.ts';
import { startTestIdentity } from '../../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

interface SignedIn extends TestAccount {
  readonly cookie: string;
}

const path = '/account/security';
const passkey = `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
  SELECT gen_random_uuid(), id, convert_to(username, 'UTF8'), '', 0, 'A passkey', now() FROM identity.account WHERE id = $1`;
const token = `INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires)
  SELECT gen_random_uuid(), organization_id, 'A token', convert_to(username, 'UTF8'), id, 'owner', now(), ''
  FROM identity.account WHERE id = $1`;

/** With a second session, a key that it created, a passkey, a platform token and a code for a program. */
async function signedIn(): Promise<SignedIn> {
  const account = await stage.createAccount();
  const cookie = await signInForCookie(stage, account);
  const { access_token } = await stage.signIn(account);
  const headers = { authorization: `Bearer ${access_token}` };
  await ask(stage.app.port, '/api/v1/api-keys', { method: 'POST', json: { name: 'A key' }, headers });
  for (const statement of [passkey, token]) await stage.database.asSuperuser(statement, [account.id]);
  await exchangeCodeFor(stage.identity, account.id);
  return { ...account, cookie };
}

/** Of the lists of credentials; the first card links to the pages that change them. */
const headings = (text: string) =>
  [...text.slice(text.indexOf('<main'), text.indexOf('</main')).matchAll(/<h2>([^<]+)</g)]
    .map(([, title]) => title)
    .filter((title) => title !== 'Sign-in');
/** The hidden fields of the button that ends the credential with this name. */
const buttonOf = (text: string, name: string) => {
  const [, kind = '', id = ''] =
    new RegExp(
      `name="kind" value="([^"]+)"[^>]*>\\s*<input type="hidden" name="id" value="([^"]+)"[^>]*>\\s*<button[^>]*aria-label="Revoke ${name}"`,
    ).exec(text) ?? [];
  return { kind, id };
};

describe('200', () => {
  test('lists every credential of the account with its origin', async () => {
    const account = await signedIn();
    const { text } = await openPage(stage, path, account.cookie);
    expect(headings(text)).toEqual(['Sessions', 'Platform tokens', 'Exchange codes', 'Passkeys', 'API keys']);
    expect(text).toContain('this browser');
    const [, row = ''] = /A key<([\s\S]*?)<\/tr>/.exec(text) ?? [];
    expect(row).toMatch(/<small>10\.|<small>127\.0\.0\.1/);
  });

  test('one button ends one credential, and none of another account', async () => {
    const [account, other] = [await signedIn(), await signedIn()];
    const { text } = await openPage(stage, path, account.cookie);
    for (const name of ['A key', 'A token', 'Program']) {
      const button = buttonOf(text, name);
      expect(button.id).not.toBe('');
      expect((await sendForm(stage, `${path}/end`, button, other)).status).toBe(303);
      expect((await openPage(stage, path, account.cookie)).text).toContain(`Revoke ${name}`);
      expect((await sendForm(stage, `${path}/end`, button, account)).status).toBe(303);
      expect((await openPage(stage, path, account.cookie)).text).not.toContain(`Revoke ${name}`);
    }
  });

  test('everything except this session ends after its owner is confirmed', async () => {
    const account = await signedIn();
    const question = await openPage(stage, `${path}/end-all`, account.cookie);
    expect(question.text).toMatch(/<li>1 API keys<\/li>/);
    expect((await sendForm(stage, `${path}/end-all`, {}, account)).status).toBe(401);
    const done = await sendForm(stage, `${path}/end-all`, { currentPassword: account.password }, account);
    expect([done.status, headings(done.text)]).toEqual([200, ['Sessions']]);
    expect(done.text.match(/this browser/g)).toHaveLength(1);
    expect(done.text).not.toContain('aria-label="Revoke ');
  });
});

test('404: a credential with its own page is not ended here', async () => {
  const account = await signedIn();
  for (const kind of ['passkeys', 'second factor and recovery codes', 'unknown'])
    expect((await sendForm(stage, `${path}/end`, { kind, id: account.id }, account)).status).toBe(404);
});
