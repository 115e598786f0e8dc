import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Authenticator } from '../../../test/authenticator.ts';
import { readSetUpPage, turnOnSecondFactor } from '../../../test/authenticator.ts';
import { cookieOf, openPage, sendForm, signInForCookie } from '../../../test/form-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { turnOffSecondFactorByOperator } from './set-up-second-factor.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

const page = '/account/second-factor';
const codePage = '/auth/signin/code';

interface Guarded {
  readonly account: TestAccount;
  readonly cookie: string;
  readonly authenticator: Authenticator;
  readonly recoveryCodes: readonly string[];
}

/** An account with a second factor whose next code is fresh. */
async function guardedAccount(): Promise<Guarded> {
  const account = await stage.createAccount();
  const cookie = await signInForCookie(stage, account);
  const guard = await turnOnSecondFactor(stage, account, cookie);
  stage.clock.advance({ minutes: 1 });
  return { account, cookie, ...guard };
}

const codeNow = ({ authenticator }: Guarded, offset = 0): string =>
  authenticator(stage.clock.nowMs(), offset);

function askToken({ email, password }: TestAccount, one_time_code?: string) {
  return stage.post('/api/auth/token', {
    email,
    password,
    ...(one_time_code !== undefined && { one_time_code }),
  });
}

/** Through the password page; returns the cookie of the pending sign-in. */
async function passwordPage({ email, password }: TestAccount, query = '') {
  const answer = await sendForm(stage, `/auth/signin${query}`, { email, password });
  return { location: answer.headers.location, cookie: cookieOf(answer) };
}

const sendCode = (cookie: string, one_time_code: string) =>
  sendForm(stage, codePage, { one_time_code }, { cookie });

async function activityOf({ id }: TestAccount): Promise<readonly string[]> {
  const rows = await stage.database.asSuperuser(
    'SELECT kind FROM audit.event WHERE account_id = $1 ORDER BY id',
    [id],
  );
  return rows.map((row) => String(row['kind']));
}

describe('200', () => {
  test('accepts a code beside the password at the token endpoint', async () => {
    const guarded = await guardedAccount();
    expect((await askToken(guarded.account, codeNow(guarded))).status).toBe(200);
  });

  test('shows ten recovery codes once, and the number of remaining ones afterwards', async () => {
    const { cookie, recoveryCodes, account } = await guardedAccount();
    expect(new Set(recoveryCodes).size).toBe(10);
    const shown = await openPage(stage, page, cookie);
    for (const code of recoveryCodes) expect(shown.text).not.toContain(code);
    expect(shown.text).toContain('10 recovery codes are left');
    expect((await askToken(account, recoveryCodes[0])).status).toBe(200);
    expect((await openPage(stage, page, cookie)).text).toContain('9 recovery codes are left');
  });

  test('invalidates the previous recovery codes when new ones are created', async () => {
    const guarded = await guardedAccount();
    const { account, cookie, recoveryCodes } = guarded;
    const fields = { currentPassword: account.password, one_time_code: codeNow(guarded) };
    const renewed = await sendForm(stage, `${page}/recovery-codes`, fields, { cookie });
    const [fresh = ''] = renewed.text.match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}/g) ?? [];
    expectProblem(await askToken(account, recoveryCodes[0]), 401, 'invalid_one_time_code');
    expect((await askToken(account, fresh.toUpperCase())).status).toBe(200);
  });

  test('is turned off with the password and a code, and sends a mail', async () => {
    const guarded = await guardedAccount();
    const { account, cookie, recoveryCodes } = guarded;
    const fields = { currentPassword: account.password, one_time_code: recoveryCodes[3] ?? '' };
    const off = await sendForm(stage, `${page}/off`, fields, { cookie });
    expect([off.status, off.text]).toEqual([200, expect.stringContaining('One-time codes are off')]);
    expect((await askToken(account)).status).toBe(200);
    const rows = await stage.database.asSuperuser(
      'SELECT count(*)::int AS mails FROM identity.mail_request WHERE recipient = $1 AND kind = $2',
      [account.email, 'sign_in_changed'],
    );
    expect(rows).toEqual([{ mails: 2 }]);
    const left = await stage.database.asSuperuser(
      'SELECT count(*)::int AS codes FROM identity.recovery_code WHERE account_id = $1',
      [account.id],
    );
    expect(left).toEqual([{ codes: 0 }]);
  });

  test('stores neither the secret nor a recovery code in clear text', async () => {
    const { account, recoveryCodes, cookie } = await guardedAccount();
    await openPage(stage, page, cookie);
    const rows = await stage.database.asSuperuser(
      `SELECT encode(secret, 'hex') AS secret, (SELECT string_agg(encode(hash, 'escape'), ' ')
        FROM identity.recovery_code WHERE account_id = $1) AS hashes
       FROM identity.second_factor WHERE account_id = $1`,
      [account.id],
    );
    // 20 bytes, sealed: version, key, nonce and tag around them.
    expect(String(rows[0]?.['secret'])).toHaveLength(2 * (33 + 20));
    for (const code of recoveryCodes)
      expect(String(rows[0]?.['hashes'])).not.toContain(code.replaceAll('-', ''));
  });
});

describe('the operator', () => {
  test('turns it off for an account: the password is sufficient, a mail and the audit log report it', async () => {
    const { account, cookie } = await guardedAccount();
    const turnOff = () => turnOffSecondFactorByOperator(stage.identity, account.email.toUpperCase());
    expect([await turnOff(), await turnOff()]).toEqual([true, false]);
    expect((await askToken(account)).status).toBe(200);
    const activity = (await openPage(stage, '/account/activity', cookie)).text;
    expect(activity).toContain('An operator turned off one-time codes');
    const mails = await stage.database.asSuperuser(
      `SELECT kind FROM identity.mail_request WHERE recipient = $1 AND kind <> 'signed_in_from_new_place'`,
      [account.email],
    );
    expect(mails).toEqual([{ kind: 'sign_in_changed' }, { kind: 'sign_in_changed' }]);
    await expect(turnOffSecondFactorByOperator(stage.identity, 'nobody@example.net')).rejects.toThrow(
      /not_found/,
    );
  });
});

describe('303', () => {
  test('redirects from the password to the code page, and from the code to the requested page', async () => {
    const guarded = await guardedAccount();
    const back = `?return=${encodeURIComponent('/account/sessions')}`;
    const { location, cookie } = await passwordPage(guarded.account, back);
    expect(location).toBe(`${codePage}?return=%2Faccount%2Fsessions`);
    expect((await openPage(stage, '/account', cookie)).status).toBe(303);
    expect((await openPage(stage, codePage, cookie)).text).toContain('autocomplete="one-time-code"');
    const entered = await sendForm(stage, location ?? '', { one_time_code: codeNow(guarded) }, { cookie });
    expect([entered.status, entered.headers.location]).toEqual([
      303,
      '/auth/signin?return=%2Faccount%2Fsessions',
    ]);
    expect((await openPage(stage, '/account', cookieOf(entered))).status).toBe(200);
    expect(await activityOf(guarded.account)).toEqual(
      expect.arrayContaining(['second_factor_turned_on', 'one_time_code_asked_for', 'session_opened']),
    );
  });

  test('restarts the code page without a recent password, or after a change of password', async () => {
    const guarded = await guardedAccount();
    expect((await openPage(stage, codePage)).headers.location).toBe('/auth/signin');
    const forged = await sendCode('__Host-daybook-pending-sign-in=AAAA', codeNow(guarded));
    expect([forged.status, forged.headers.location]).toEqual([303, '/auth/signin']);
    const late = await passwordPage(guarded.account);
    stage.clock.advance({ minutes: 11 });
    expect((await sendCode(late.cookie, codeNow(guarded))).headers.location).toBe('/auth/signin');
    const changed = await passwordPage(guarded.account);
    await stage.database.asSuperuser(
      'UPDATE identity.account SET password_hash = password_hash || $2 WHERE id = $1',
      [guarded.account.id, ' '],
    );
    const answer = await sendCode(changed.cookie, codeNow(guarded));
    expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('pending-sign-in=;')]);
  });

  test('redirects an unauthenticated browser to the sign-in page', async () => {
    expect((await openPage(stage, page)).status).toBe(303);
    for (const path of [page, `${page}/off`, `${page}/recovery-codes`])
      expect((await sendForm(stage, path, {})).status).toBe(303);
  });
});

describe('400', () => {
  test('restarts a set-up of another account, or an expired one, with a new secret', async () => {
    const [account, other] = [await stage.createAccount(), await stage.createAccount()];
    const cookie = await signInForCookie(stage, account);
    const stolen = await readSetUpPage(stage, await signInForCookie(stage, other));
    const own = await readSetUpPage(stage, cookie);
    const turnOn = ({ setUp, authenticator }: typeof own) =>
      sendForm(
        stage,
        page,
        { setUp, currentPassword: account.password, one_time_code: authenticator(stage.clock.nowMs()) },
        { cookie },
      );
    expect((await turnOn(stolen)).status).toBe(400);
    stage.clock.advance({ minutes: 31 });
    expect((await turnOn(own)).status).toBe(400);
    expect((await askToken(account)).status).toBe(200);
  });

  test('refuses an overlong code before it is checked', async () => {
    const account = await stage.createAccount();
    expectProblem(await askToken(account, '1'.repeat(65)), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('refuses the right password alone, and does not reveal for a wrong one that a code is required', async () => {
    const { account } = await guardedAccount();
    expectProblem(await askToken(account), 401, 'second_factor_required');
    const wrong = { ...account, password: 'not the password' };
    expectProblem(await askToken(wrong), 401, 'invalid_credentials');
    expectProblem(await askToken(wrong, '123456'), 401, 'invalid_credentials');
  });

  test('refuses a used code and all earlier ones, within its window, on the page and in the API', async () => {
    const guarded = await guardedAccount();
    const code = codeNow(guarded);
    expect((await askToken(guarded.account, code)).status).toBe(200);
    expectProblem(await askToken(guarded.account, code), 401, 'invalid_one_time_code');
    expectProblem(await askToken(guarded.account, codeNow(guarded, -1)), 401, 'invalid_one_time_code');
    const { cookie } = await passwordPage(guarded.account);
    const refused = await sendCode(cookie, code);
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('id="one_time_code-fault"'),
    ]);
    expect((await sendCode(cookie, codeNow(guarded, 1))).status).toBe(303);
  });

  test('accepts one of five concurrent sign-ins with one code or one recovery code', async () => {
    const guarded = await guardedAccount();
    for (const code of [codeNow(guarded), guarded.recoveryCodes[0] ?? '']) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => askToken(guarded.account, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
      await stage.database.asSuperuser('DELETE FROM identity.sign_in_attempt', []);
    }
  });

  test('refuses the code that turned it on', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const { authenticator } = await turnOnSecondFactor(stage, account, cookie);
    const used = authenticator(stage.clock.nowMs());
    expectProblem(await askToken(account, used), 401, 'invalid_one_time_code');
  });

  test('locks codes on the page and in the API after five wrong ones, but not passwords', async () => {
    const guarded = await guardedAccount();
    const { account } = guarded;
    const { cookie } = await passwordPage(account);
    for (const wrong of ['000000', '000001'])
      expect((await sendCode(cookie, wrong)).text).toContain('Wrong one-time code');
    expectProblem(await askToken({ ...account, password: 'not it' }), 401, 'invalid_credentials');
    for (const wrong of ['aaaa-aaaa-aaaa-aaaa', '000002', '000003'])
      expectProblem(await askToken(account, wrong), 401, 'invalid_one_time_code');
    expectProblem(await askToken(account, codeNow(guarded)), 401, 'account_locked');
    const locked = await sendCode(cookie, codeNow(guarded));
    expect([locked.status, locked.text]).toEqual([401, expect.stringContaining('Temporarily locked')]);
    expectProblem(await askToken(account), 401, 'second_factor_required');
    stage.clock.advance({ minutes: 15 });
    expect((await askToken(account, codeNow(guarded))).status).toBe(200);
  });

  test('allows no further guesses at the code after a change of password', async () => {
    const { account, cookie } = await guardedAccount();
    for (const wrong of ['000000', '000001', '000002'])
      expectProblem(await askToken(account, wrong), 401, 'invalid_one_time_code');
    const newPassword = 'another long password';
    const change = { currentPassword: account.password, newPassword };
    expect((await sendForm(stage, '/account/password', change, { cookie })).status).toBe(200);
    const changed = { ...account, password: newPassword };
    for (const wrong of ['000003', '000004'])
      expectProblem(await askToken(changed, wrong), 401, 'invalid_one_time_code');
    expectProblem(await askToken(changed, '000005'), 401, 'account_locked');
  });

  test('changes nothing without the password or with a wrong code', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const { setUp, authenticator } = await readSetUpPage(stage, cookie);
    const code = authenticator(stage.clock.nowMs());
    const tries = [
      { currentPassword: 'not the password', one_time_code: code },
      { currentPassword: account.password, one_time_code: '000000' },
    ];
    for (const fields of tries) {
      const answer = await sendForm(stage, page, { setUp, ...fields }, { cookie });
      expect(answer.status).toBe(401);
      // The same secret again, so that the app need not be set up again.
      expect(answer.text).toContain(setUp);
    }
    const guarded = await guardedAccount();
    for (const path of [`${page}/off`, `${page}/recovery-codes`])
      for (const fields of [
        { currentPassword: 'not it', one_time_code: codeNow(guarded) },
        { currentPassword: guarded.account.password, one_time_code: '000000' },
      ])
        expect((await sendForm(stage, path, fields, { cookie: guarded.cookie })).status).toBe(401);
    stage.clock.advance({ minutes: 15 });
    expect((await askToken(account)).status).toBe(200);
    expectProblem(await askToken(guarded.account), 401, 'second_factor_required');
  });
});

describe('409', () => {
  test('is turned on once and off once', async () => {
    const account = await stage.createAccount();
    const cookie = await signInForCookie(stage, account);
    const second = await readSetUpPage(stage, cookie);
    const fields = { currentPassword: account.password, one_time_code: '000000' };
    for (const path of [`${page}/off`, `${page}/recovery-codes`])
      expect((await sendForm(stage, path, fields, { cookie })).status).toBe(409);
    await turnOnSecondFactor(stage, account, cookie);
    const one_time_code = second.authenticator(stage.clock.nowMs());
    const again = { ...fields, setUp: second.setUp, one_time_code };
    expect((await sendForm(stage, page, again, { cookie })).status).toBe(409);
  });
});

describe('429', () => {
  test('counts codes in the rate limit of the sign-in form', async () => {
    const { account } = await guardedAccount();
    const { cookie } = await passwordPage(account);
    const from = '192.0.2.78';
    const statuses = [];
    for (let sent = 0; sent < 11; sent += 1)
      statuses.push((await sendForm(stage, codePage, { one_time_code: '1' }, { cookie, from })).status);
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses[10]).toBe(429);
  });
});
