import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cookieOf, openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { MailedIdentity } from '../../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../../test/mailed-identity.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

let made = 0;
function newcomer() {
  made += 1;
  return {
    username: `new-${made}`,
    email: `new-${made}@example.net`,
    name: `New ${made}`,
    password: 'a long password',
  };
}

describe('200', () => {
  test('sign-up answers the same for an address with an account and one without', async () => {
    const account = await stage.createAccount();
    const [known, unknown] = [{ ...newcomer(), email: account.email }, newcomer()];
    const answers = [
      await sendForm(stage, '/auth/signup', known),
      await sendForm(stage, '/auth/signup', unknown),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = answers.map(({ text }) => text);
    expect(one!.replaceAll(account.email, '')).toBe(other!.replaceAll(unknown.email, ''));
    expect(one).toContain('Check your e-mail');
  });

  test('opening the link changes nothing, however often', async () => {
    const person = newcomer();
    await sendForm(stage, '/auth/signup', person);
    const token = await stage.tokenFor(person.email);
    for (let look = 0; look < 3; look += 1) {
      const page = await openPage(stage, `/auth/confirm?token=${token}`);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining(person.email)]);
    }
    expect((await sendForm(stage, '/auth/confirm', { token })).status).toBe(303);
  });
});

describe('303', () => {
  test('confirming creates the account and signs in with a new cookie', async () => {
    const person = newcomer();
    await sendForm(stage, '/auth/signup', person);
    const token = await stage.tokenFor(person.email);
    const planted = '__Host-daybook-session=planted';
    const answer = await sendForm(stage, '/auth/confirm', { token }, { cookie: planted });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account/organization']);
    const account = await openPage(stage, '/account', cookieOf(answer));
    expect(account.text).toContain(person.email);
    expect((await openPage(stage, '/account', planted)).status).toBe(303);
  });

  test('a signed-in visitor is redirected to the account', async () => {
    const cookie = await signInForCookie(stage, await stage.createAccount());
    expect((await openPage(stage, '/auth/signup', cookie)).headers.location).toBe('/account');
  });
});

describe('400', () => {
  test.each([
    [{ username: 'No Way' }, 'username'],
    [{ email: 'ada@localhost' }, 'email'],
    [{ name: '\u202Eadmin' }, 'name'],
    [{ password: 'tooFew' }, 'password'],
  ])('%j marks its field and returns the input without the password', async (fields, name) => {
    const person = { ...newcomer(), ...fields };
    const { status, text } = await sendForm(stage, '/auth/signup', person);
    expect([status, text]).toEqual([400, expect.stringContaining(`id="${name}-fault"`)]);
    expect(text).not.toContain(person.password);
    expect(text).toContain(`name="email"`);
  });

  test('a used link and a day-old link say so and offer a new one', async () => {
    const [used, late] = [newcomer(), newcomer()];
    for (const person of [used, late]) await sendForm(stage, '/auth/signup', person);
    const token = await stage.tokenFor(used.email);
    await sendForm(stage, '/auth/confirm', { token });
    const lateToken = await stage.tokenFor(late.email);
    stage.clock.advance({ hours: 24 });
    for (const dead of [token, lateToken, '', `${lateToken}=3D`, 'x'.repeat(200)])
      for (const answer of [
        await openPage(stage, `/auth/confirm?token=${dead}`),
        await sendForm(stage, '/auth/confirm', { token: dead }),
      ]) {
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('is no longer valid')]);
        expect(answer.text).toContain('href="/auth/signup"');
        expect(cookieOf(answer)).toBe('');
      }
  });
});

describe('409', () => {
  test('a taken username is marked; one that was taken meanwhile is replaced by a proposal', async () => {
    const [one, other] = [newcomer(), { ...newcomer(), username: `new-${made - 1}` }];
    for (const person of [one, other]) await sendForm(stage, '/auth/signup', person);
    await sendForm(stage, '/auth/confirm', { token: await stage.tokenFor(one.email) });
    const again = await sendForm(stage, '/auth/signup', { ...newcomer(), username: one.username });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('id="username-fault"')]);
    const late = await sendForm(stage, '/auth/confirm', { token: await stage.tokenFor(other.email) });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('id="username-fault"')]);
    expect(cookieOf(late)).toBe('');
    const fields = { token: await stage.tokenFor(other.email), username: `${one.username}-2` };
    expect((await openPage(stage, `/auth/confirm?token=${fields.token}`)).text).toContain(fields.username);
    expect((await sendForm(stage, '/auth/confirm', fields)).status).toBe(303);
  });
});

describe('503', () => {
  test('when too many passwords are being hashed, the form is shown again', async () => {
    const places = Array.from({ length: 100 }, () => stage.identity.hasher.reserveSlot());
    const answer = await sendForm(stage, '/auth/signup', newcomer());
    for (const place of places) place.leave();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '3']);
  });
});
