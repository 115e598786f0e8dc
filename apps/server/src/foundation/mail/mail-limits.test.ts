import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sendForm, signInForCookie } from '../../../test/form-client.ts';
import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

const forgot = (email: string, from?: string) =>
  sendForm(stage, '/auth/forgot', { email }, from === undefined ? {} : { from });

describe('429', () => {
  test('allows one client address ten submissions of mail forms in ten minutes, over all such forms', async () => {
    const from = '192.0.2.10';
    const forms = [
      () => sendForm(stage, '/auth/confirm', { token: 'x' }, { from }),
      () => sendForm(stage, '/auth/reset', { token: 'x', password: 'a long password' }, { from }),
      () => sendForm(stage, '/auth/signup', {}, { from }),
      () => sendForm(stage, '/auth/join', { token: 'x' }, { from }),
      () => forgot('nobody', from),
    ];
    for (const form of [...forms, ...forms]) expect((await form()).status).toBeLessThan(429);
    for (const form of forms) {
      const refused = await form();
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600']);
      expect(refused.text).toContain('Try again in 10 minutes');
    }
    expect((await forgot('nobody', '192.0.2.11')).status).toBe(400);
    stage.clock.advance({ seconds: 599 });
    expect((await forgot('nobody', from)).status).toBe(429);
    stage.clock.advance({ seconds: 1 });
    expect((await forgot('nobody', from)).status).toBe(400);
  });

  test('sends one e-mail address five mails an hour, whether or not it has an account', async () => {
    const { email } = await stage.createAccount();
    const texts = [];
    for (const address of [email, 'nobody@example.net']) {
      const written = [address, address.toUpperCase(), address, address, address];
      for (const spelling of written) expect((await forgot(spelling)).status).toBe(200);
      const refused = await forgot(address);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
      texts.push(refused.text.replaceAll(address, ''));
    }
    expect(texts[0]).toBe(texts[1]);
    stage.clock.advance({ seconds: 3599 });
    expect((await forgot(email)).status).toBe(429);
    stage.clock.advance({ seconds: 1 });
    expect((await forgot(email)).status).toBe(200);
  });

  test('shares the five among reset, sign-up and invitations', async () => {
    const email = 'shared@example.net';
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const invitations = `/platform/${account.organizationKey}/invitations`;
    const invite = () => sendForm(stage, invitations, { email, role: 'member' }, { cookie });
    let asked = 0;
    const signUp = () => {
      asked += 1;
      const person = { username: `shared-${asked}`, name: 'Shared', password: 'a long password' };
      return sendForm(stage, '/auth/signup', { ...person, email });
    };
    for (const ask of [invite, signUp, () => forgot(email), invite, signUp])
      expect((await ask()).status).toBe(200);
    for (const ask of [invite, signUp, () => forgot(email)]) expect((await ask()).status).toBe(429);
  });

  test('sends an owner the notice of a change, whatever mails others have requested', async () => {
    const account = await stage.createAccount();
    for (let mail = 0; mail < 5; mail += 1) await forgot(account.email);
    const cookie = await signInForCookie(stage, account);
    const fields = { currentPassword: account.password, newPassword: 'another long password' };
    expect((await sendForm(stage, '/account/password', fields, { cookie })).status).toBe(200);
  });
});
