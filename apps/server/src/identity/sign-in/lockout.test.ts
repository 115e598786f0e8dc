import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { turnOnSecondFactor } from '../../../test/authenticator.ts';
import { cookieOf, deviceCookieOf, sendForm } from '../../../test/form-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestAccount } from '../../../test/identity.ts';
import type { MailedIdentity } from '../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../test/mailed-identity.ts';
import { guessesPerDay } from '../attempts/sign-in-attempt-store.ts';
import { removeLeftovers } from '../housekeeping-store.ts';
import { unlockAccount } from '../registration/create-owner.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

const token = '/api/auth/token';
const wrong = 'not the password';
const newPassword = 'another long password';

const ask = ({ email, password }: Pick<TestAccount, 'email' | 'password'>, from?: string, code?: string) =>
  stage.post(
    token,
    { email, password, ...(code !== undefined && { one_time_code: code }) },
    from === undefined ? {} : { from },
  );

const codeOf = async (answer: ReturnType<typeof ask>): Promise<unknown> => {
  const { status, json } = await answer;
  return status === 200 ? 'signed in' : json()['code'];
};

/** Five wrong passwords from five unknown address blocks. */
async function lockByStranger({ email }: Pick<TestAccount, 'email'>): Promise<void> {
  for (let guess = 0; guess < 5; guess += 1)
    expectProblem(await ask({ email, password: wrong }), 401, 'invalid_credentials');
  expectProblem(await ask({ email, password: wrong }), 401, 'account_locked');
}

const form = ({ email, password }: Pick<TestAccount, 'email' | 'password'>, cookie = '') =>
  sendForm(stage, '/auth/signin', { email, password }, { cookie });

async function guardedAccount() {
  const account = await stage.createAccount();
  const signedIn = await form(account);
  const [cookie, device] = [cookieOf(signedIn), deviceCookieOf(signedIn)];
  const { authenticator } = await turnOnSecondFactor(stage, account, cookie);
  stage.clock.advance({ minutes: 1 });
  return { account, cookie, device, code: (offset = 0) => authenticator(stage.clock.nowMs(), offset) };
}

async function reset(
  { email }: TestAccount,
  {
    from,
    mails = 1,
    ...fields
  }: { readonly from?: string; readonly mails?: number; readonly revoke?: string },
): Promise<void> {
  await sendForm(stage, '/auth/forgot', { email });
  const link = await stage.tokenFor(email, mails);
  const options = from === undefined ? {} : { from };
  const set = await sendForm(
    stage,
    '/auth/reset',
    { token: link, password: newPassword, ...fields },
    options,
  );
  expect(set.status).toBe(200);
}

describe('an owner whose address a stranger has locked', () => {
  test('signs in on the form from a device with a sign-in in the last 30 days', async () => {
    const account = await stage.createAccount();
    const device = deviceCookieOf(await form(account));
    expect(device).toMatch(/^__Host-daybook-device=[0-9a-f]{64}$/);
    await lockByStranger(account);
    expect((await form(account)).status).toBe(401);
    const signedIn = await form(account, device);
    expect(signedIn.status).toBe(303);
    expect(deviceCookieOf(signedIn)).not.toBe(device);
    expect((await form(account, device)).status).toBe(401);
    stage.clock.advance({ days: 31 });
    await lockByStranger(account);
    expect((await form(account, deviceCookieOf(signedIn))).status).toBe(401);
  });

  test('signs in through the API from an address block with a sign-in in the last 30 days', async () => {
    const account = await stage.createAccount();
    expect(await codeOf(ask(account, '203.0.113.7'))).toBe('signed in');
    expect(await codeOf(ask(account, '2001:db8:1:2::7'))).toBe('signed in');
    await lockByStranger(account);
    expect(await codeOf(ask(account, '203.0.113.250'))).toBe('signed in');
    expect(await codeOf(ask(account, '203.0.114.7'))).toBe('account_locked');
    expect(await codeOf(ask(account, '2001:db8:1:2:3::9'))).toBe('signed in');
    expect(await codeOf(ask(account, '2001:db8:1:3::7'))).toBe('account_locked');
    stage.clock.advance({ days: 31 });
    await lockByStranger(account);
    expect(await codeOf(ask(account, '203.0.113.7'))).toBe('account_locked');
  });

  test('signs in with a second factor from a known device', async () => {
    const { account, device, code } = await guardedAccount();
    await lockByStranger(account);
    const pending = await form(account, device);
    expect(pending.headers.location).toBe('/auth/signin/code');
    const cookie = `${cookieOf(pending)}; ${device}`;
    const entered = await sendForm(stage, '/auth/signin/code', { one_time_code: code() }, { cookie });
    expect([entered.status, cookieOf(entered)]).toEqual([303, expect.stringContaining('daybook-session=')]);
  });

  test('signs in after a password reset, with a second factor too, and while the stranger keeps guessing', async () => {
    const { account, code } = await guardedAccount();
    await lockByStranger(account);
    const from = '198.51.100.3';
    await reset(account, { from, mails: 2 });
    const changed = { ...account, password: newPassword };
    expect(await codeOf(ask(changed))).toBe('second_factor_required');
    await lockByStranger(account);
    expect(await codeOf(ask(changed, from, code()))).toBe('signed in');
  });

  test('downloads the data and changes the e-mail address in a signed-in session', async () => {
    const { account, cookie, code } = await guardedAccount();
    await lockByStranger(account);
    const proof = (offset: number) => ({ currentPassword: account.password, one_time_code: code(offset) });
    const asked = await sendForm(stage, '/account/data/export', proof(0), { cookie });
    expect(asked.headers.location).toContain('/account/data/export?ticket=');
    const email = `moved-${account.email}`;
    expect((await sendForm(stage, '/account/email', { ...proof(1), email }, { cookie })).status).toBe(200);
  });
});

describe('each counter', () => {
  test('of a known device locks after five failures, alone', async () => {
    const account = await stage.createAccount();
    const [device, other] = [deviceCookieOf(await form(account)), deviceCookieOf(await form(account))];
    for (let guess = 0; guess < 5; guess += 1)
      expect((await form({ ...account, password: wrong }, device)).status).toBe(401);
    expect((await form(account, device)).text).toContain('Temporarily locked');
    expect((await form(account, other)).status).toBe(303);
    expect(await codeOf(ask(account))).toBe('signed in');
    stage.clock.advance({ minutes: 15 });
    expect((await form(account, device)).status).toBe(303);
  });

  test('of a signed-in session locks after five failures, alone', async () => {
    const account = await stage.createAccount();
    const [cookie, other] = [cookieOf(await form(account)), cookieOf(await form(account))];
    const download = (currentPassword: string, session: string) =>
      sendForm(stage, '/account/data/export', { currentPassword }, { cookie: session });
    for (let guess = 0; guess < 5; guess += 1) expect((await download(wrong, cookie)).status).toBe(401);
    expect((await download(account.password, cookie)).text).toContain('Temporarily locked');
    expect((await download(account.password, other)).status).toBe(303);
    expect(await codeOf(ask(account))).toBe('signed in');
  });

  test('of one-time codes is separate from that of passwords, and a reset clears only passwords', async () => {
    const { account, code } = await guardedAccount();
    for (let guess = 0; guess < 4; guess += 1)
      expect(await codeOf(ask({ ...account, password: wrong }))).toBe('invalid_credentials');
    for (let guess = 0; guess < 4; guess += 1)
      expect(await codeOf(ask(account, undefined, `00000${guess}`))).toBe('invalid_one_time_code');
    expect(await codeOf(ask(account))).toBe('second_factor_required');
    expect(await codeOf(ask(account, undefined, '000005'))).toBe('invalid_one_time_code');
    await lockByStranger(account);
    await reset(account, { mails: 2 });
    const changed = { ...account, password: newPassword };
    expect(await codeOf(ask(changed))).toBe('second_factor_required');
    expect(await codeOf(ask(changed, undefined, code()))).toBe('account_locked');
    expect(await unlockAccount(stage.identity, account.email)).toBe(true);
    expect(await codeOf(ask(changed, undefined, code()))).toBe('signed in');
  });

  test('is selected by a device cookie for its own account alone, and a planted cookie is refused', async () => {
    const [account, other] = [await stage.createAccount(), await stage.createAccount()];
    const planted = `__Host-daybook-device=${'a'.repeat(64)}`;
    const device = deviceCookieOf(await form(account, planted));
    expect(device).not.toBe(planted);
    // One browser, two accounts: the cookie that the second sign-in sets counts for both.
    const shared = deviceCookieOf(await form(other, device));
    const stranger = await stage.createAccount();
    for (const { email } of [account, other, stranger]) await lockByStranger({ email });
    for (const cookie of [planted, device]) expect((await form(account, cookie)).status).toBe(401);
    expect((await form(stranger, shared)).status).toBe(401);
    const first = await form(account, shared);
    expect(first.status).toBe(303);
    expect((await form(other, deviceCookieOf(first))).status).toBe(303);
  });
});

describe('over a day', () => {
  test('admits 100 guesses across all counters', () => {
    const shares = Object.values(guessesPerDay).flatMap((share) => Object.values(share));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
  });

  test.each(['with', 'without'])(
    'allows 40 passwords from unknown blocks for an address %s an account, however many locks end',
    async (which) => {
      const { email } = which === 'with' ? await stage.createAccount() : { email: 'no-account@example.org' };
      let checked = 0;
      let last;
      for (let quarter = 0; quarter < 12; quarter += 1) {
        for (let guess = 0; guess < 6; guess += 1) {
          last = await ask({ email, password: wrong });
          if (last.json()['code'] === 'invalid_credentials') checked += 1;
        }
        stage.clock.advance({ minutes: 15 });
      }
      expect(checked).toBe(40);
      // The first five leave the window a day after they were made: three hours have passed, but for a quarter.
      expect(last?.headers['retry-after']).toBe(String((24 - 2.75) * 3600));
      stage.clock.advance({ hours: 21 });
      await lockByStranger({ email });
    },
  );

  test('keeps counting earlier guesses after a success from an unknown block', async () => {
    const account = await stage.createAccount();
    let checked = 0;
    for (let quarter = 0; quarter < 12; quarter += 1) {
      for (let guess = 0; guess < 4; guess += 1)
        if ((await codeOf(ask({ ...account, password: wrong }))) === 'invalid_credentials') checked += 1;
      await ask(account);
    }
    expect(checked).toBe(40);
  });
});

describe('known devices and blocks', () => {
  const known = async ({ id }: TestAccount): Promise<number> =>
    (await stage.database.asSuperuser('SELECT source FROM identity.known_source WHERE account_id = $1', [id]))
      .length;

  test('are removed by a reset that revokes everything, except the block of the reset', async () => {
    const account = await stage.createAccount();
    const device = deviceCookieOf(await form(account));
    await ask(account, '203.0.113.7');
    await reset(account, { revoke: 'everything', from: '198.51.100.3' });
    const changed = { ...account, password: newPassword };
    await lockByStranger(account);
    expect((await form(changed, device)).status).toBe(401);
    expect(await codeOf(ask(changed, '203.0.113.7'))).toBe('account_locked');
    expect(await codeOf(ask(changed, '198.51.100.4'))).toBe('signed in');
  });

  test('are removed with the account, and are stored hashed', async () => {
    const account = await stage.createAccount();
    const signedIn = await form(account);
    const secret = deviceCookieOf(signedIn).split('=')[1] ?? '';
    const rows = await stage.database.asSuperuser(
      `SELECT octet_length(source) AS bytes, encode(source, 'hex') = $2 AS plain
       FROM identity.known_source WHERE account_id = $1`,
      [account.id, secret],
    );
    expect(rows).toEqual([
      { bytes: 32, plain: false },
      { bytes: 32, plain: false },
    ]);
    const gone = await sendForm(
      stage,
      '/account/data/delete',
      { currentPassword: account.password },
      { cookie: cookieOf(signedIn) },
    );
    expect(gone.status).toBe(200);
    expect(await known(account)).toBe(0);
  });

  test('are removed by housekeeping after 30 days', async () => {
    const account = await stage.createAccount();
    await form(account);
    stage.clock.advance({ days: 29 });
    await removeLeftovers(stage.identity.database, stage.clock.now());
    expect(await known(account)).toBe(2);
    stage.clock.advance({ days: 2 });
    await removeLeftovers(stage.identity.database, stage.clock.now());
    expect(await known(account)).toBe(0);
  });
});
