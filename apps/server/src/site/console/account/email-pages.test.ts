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

let named = 0;
const freshEmail = (): string => `new-${(named += 1)}@example.net`;

interface SignedIn extends TestAccount {
  readonly cookie: string;
}

async function signedIn(): Promise<SignedIn> {
  const account = await stage.createAccount();
  return { ...account, cookie: await signInForCookie(stage, account) };
}

const ask = ({ cookie, password }: SignedIn, email: string, from?: string) =>
  sendForm(
    stage,
    '/account/email',
    { email, currentPassword: password },
    { cookie, ...(from !== undefined && { from }) },
  );
const confirm = (token: string, cookie: string) =>
  sendForm(stage, '/account/email/confirm', { token }, { cookie });
const undo = (token: string) => sendForm(stage, '/auth/undo-email', { token });

/** Requests a change and returns the secret of the link sent to the new address. */
async function requestChange(account: SignedIn, email = freshEmail()): Promise<string> {
  expect((await ask(account, email)).status).toBe(200);
  return stage.tokenFor(email);
}

/** The address may have received other mail before. */
async function undoLinkFor(address: string): Promise<string> {
  const find = () =>
    stage.mailbox.received.findLast(
      ({ to, subject }) => to.includes(address) && subject === 'Your e-mail address was changed',
    )?.token;
  await expect.poll(find, { timeout: 15_000, interval: 20 }).toBeDefined();
  return find() ?? '';
}

/** Changes the address, and returns the secret of the undo link. */
async function changed(account: SignedIn, email: string): Promise<string> {
  const done = await confirm(await requestChange(account, email), account.cookie);
  expect([done.status, done.headers.location]).toEqual([303, '/account']);
  return undoLinkFor(account.email);
}

const deadLink = [400, expect.stringContaining('is no longer valid')];
const statusAndText = ({ status, text }: { readonly status: number; readonly text: string }) => [
  status,
  text,
];

describe('200', () => {
  test('a request answers the same whether or not another account has the address; only a free one gets a link', async () => {
    const [account, other] = [await signedIn(), await stage.createAccount()];
    const free = freshEmail();
    const [onFree, onTaken] = [await ask(account, free), await ask(account, other.email)];
    expect([onFree.status, onTaken.status]).toEqual([200, 200]);
    expect(onFree.text.replaceAll(free, '')).toBe(onTaken.text.replaceAll(other.email, ''));
    expect((await stage.mailbox.latestTo(free)).token).toBeDefined();
    const mail = await stage.mailbox.latestTo(other.email);
    expect([mail.subject, mail.token]).toEqual(['Your e-mail address is already in use', undefined]);
  });

  test('undoing restores the address and ends all credentials of the account', async () => {
    const thief = await signedIn();
    const asked = { name: 'mine', currentPassword: thief.password };
    const made = await sendForm(stage, '/account/api-keys', asked, thief);
    await stage.mailbox.latestTo(thief.email);
    const [, key = ''] = />([0-9a-f]{64})</.exec(made.text) ?? [];
    await stage.database.asSuperuser(
      `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
       VALUES (gen_random_uuid(), $1, $2, $2, 0, 'thief', now())`,
      [thief.id, Buffer.from(thief.id)],
    );
    await stage.database.asSuperuser(
      `INSERT INTO identity.external_identity (issuer, subject, account_id, created_at)
       VALUES ('https://provider.example', $1::text, $1::uuid, now())`,
      [thief.id],
    );
    const theirs = freshEmail();
    const token = await changed(thief, theirs);
    const newPassword = 'known to the thief alone';
    const changing = { currentPassword: thief.password, newPassword };
    expect((await sendForm(stage, '/account/password', changing, thief)).status).toBe(200);

    const shown = await openPage(stage, `/auth/undo-email?token=${token}`);
    expect(statusAndText(shown)).toEqual([200, expect.stringContaining(thief.email)]);
    const undone = await undo(token);
    expect(statusAndText(undone)).toEqual([200, expect.stringContaining('Change undone')]);

    stage.clock.advance({ seconds: 1 });
    expect((await openPage(stage, '/account', thief.cookie)).status).toBe(303);
    expect((await stage.get('/api/v1/me', { 'x-api-key': key })).status).toBe(401);
    for (const [email, password] of [
      [theirs, newPassword],
      [thief.email, newPassword],
      [thief.email, thief.password],
    ])
      expect((await stage.post('/api/auth/token', { email, password })).status).toBe(401);
    const left = await stage.database.asSuperuser(
      `SELECT account_id FROM identity.passkey WHERE account_id = $1
       UNION ALL SELECT account_id FROM identity.external_identity WHERE account_id = $1`,
      [thief.id],
    );
    expect(left).toEqual([]);
    const password = 'set by the owner again';
    const reset = { token: await stage.tokenFor(thief.email, 3), password };
    expect((await sendForm(stage, '/auth/reset', reset)).status).toBe(200);
    await signInForCookie(stage, { ...thief, password });
  });

  test('undoing leaves a second factor that is older than seven days and removes a newer one', async () => {
    const turnOn = (id: string, daysAgo: number) =>
      stage.database.asSuperuser(
        'INSERT INTO identity.second_factor (account_id, secret, last_step, created_at) VALUES ($1, $2, 0, $3)',
        [id, Buffer.from('sealed'), new Date(stage.clock.nowMs() - daysAgo * 86_400_000).toISOString()],
      );
    const [careful, robbed] = [await signedIn(), await signedIn()];
    const asked = await requestChange(robbed);
    const later = await requestChange(careful);
    await turnOn(careful.id, 8);
    await turnOn(robbed.id, 6);
    for (const [account, token] of [
      [careful, later],
      [robbed, asked],
    ] as const) {
      expect((await confirm(token, account.cookie)).status).toBe(303);
      expect((await undo(await stage.tokenFor(account.email))).status).toBe(200);
    }
    const left = await stage.database.asSuperuser(
      'SELECT account_id FROM identity.second_factor WHERE account_id = ANY ($1)',
      [[careful.id, robbed.id]],
    );
    expect(left).toEqual([{ account_id: careful.id }]);
  });

  test('the first address can undo later changes, even after a later change was undone; never the reverse', async () => {
    const account = await signedIn();
    const [second, third] = [freshEmail(), freshEmail()];
    const backToFirst = await changed(account, second);
    const backToSecond = await changed({ ...account, email: second }, third);
    expect((await undo(backToFirst)).status).toBe(200);
    expect(statusAndText(await undo(backToSecond))).toEqual(deadLink);

    const other = await signedIn();
    const [next, last] = [freshEmail(), freshEmail()];
    const links = [await changed(other, next), await changed({ ...other, email: next }, last)];
    for (const link of links.toReversed()) expect((await undo(link)).status).toBe(200);
    const [row] = await stage.database.asSuperuser('SELECT email FROM identity.account WHERE id = $1', [
      other.id,
    ]);
    expect(row?.['email']).toBe(other.email);
  });
});

describe('303', () => {
  test('the link changes the address: the new one signs in, the old one does not, the session continues', async () => {
    const account = await signedIn();
    const email = freshEmail();
    const token = await requestChange(account, email);
    const page = await openPage(stage, `/account/email/confirm?token=${token}`, account.cookie);
    expect(statusAndText(page)).toEqual([200, expect.stringContaining(email)]);
    expect((await stage.signIn(account)).user['email']).toBe(account.email);
    expect((await confirm(token, account.cookie)).status).toBe(303);
    expect((await openPage(stage, '/account', account.cookie)).text).toContain(email);
    expect((await stage.signIn({ ...account, email })).user['email']).toBe(email);
    const { password } = account;
    expect((await stage.post('/api/auth/token', { email: account.email, password })).status).toBe(401);
  });

  test('a visitor without a session is sent to sign-in, and back to the link', async () => {
    const token = await requestChange(await signedIn());
    const path = `/account/email/confirm?token=${token}`;
    const { status, headers } = await openPage(stage, path);
    expect([status, headers.location]).toEqual([303, `/auth/signin?return=${encodeURIComponent(path)}`]);
    expect((await confirm(token, '')).headers.location).toBe('/auth/signin');
    expect((await openPage(stage, '/account/email')).status).toBe(303);
    expect((await sendForm(stage, '/account/email', {})).headers.location).toBe('/auth/signin');
  });

  test('of two concurrent confirmations, one changes the address', async () => {
    const account = await signedIn();
    const token = await requestChange(account);
    const answers = await Promise.all([1, 2, 3].map(() => confirm(token, account.cookie)));
    const changing = answers.filter(({ status }) => status === 303);
    expect([changing.length, answers.every(({ status }) => [303, 400].includes(status))]).toEqual([1, true]);
  });
});

describe('400', () => {
  test("an invalid address, and the account's current one, are marked and stay in the field", async () => {
    const account = await signedIn();
    for (const [email, message] of [
      ['a"><script>b', 'is not a valid e-mail address'],
      [account.email.toUpperCase().replace('EXAMPLE.ORG', 'example.org'), 'is already your address'],
    ] as const) {
      const { status, text } = await ask(account, email);
      expect([status, text]).toEqual([400, expect.stringContaining(message)]);
      expect(text).toContain('id="email-fault"');
      expect(text).not.toContain('<script>b');
      expect(text).not.toContain(account.password);
    }
  });

  test('a link of another account changes nothing and stays valid', async () => {
    const [account, stranger] = [await signedIn(), await signedIn()];
    const token = await requestChange(account);
    const path = `/account/email/confirm?token=${token}`;
    expect(statusAndText(await openPage(stage, path, stranger.cookie))).toEqual(deadLink);
    expect(statusAndText(await confirm(token, stranger.cookie))).toEqual(deadLink);
    expect((await confirm(token, account.cookie)).status).toBe(303);
  });

  test('a link that was used, replaced, altered, issued for something else or is a day old changes nothing', async () => {
    const account = await signedIn();
    const replaced = await requestChange(account);
    const altered = `${replaced.slice(0, -1)}${replaced.endsWith('0') ? '1' : '0'}`;
    const used = await requestChange(account);
    expect((await confirm(used, account.cookie)).status).toBe(303);
    const undoing = await stage.tokenFor(account.email);
    const late = await requestChange({ ...account, email: 'unused' });
    stage.clock.advance({ hours: 24 });
    for (const token of [replaced, altered, used, undoing, late, ''])
      expect(statusAndText(await confirm(token, account.cookie))).toEqual(deadLink);
  });

  test('a new password cancels a change requested with the old one', async () => {
    const account = await signedIn();
    const token = await requestChange(account);
    const newPassword = 'another long password';
    const changing = { currentPassword: account.password, newPassword };
    expect((await sendForm(stage, '/account/password', changing, account)).status).toBe(200);
    expect(statusAndText(await confirm(token, account.cookie))).toEqual(deadLink);
  });

  test('a password link sent to the previous address sets no password', async () => {
    const account = await signedIn();
    await sendForm(stage, '/auth/forgot', { email: account.email });
    const token = await stage.tokenFor(account.email);
    const confirmed = await confirm(await requestChange(account), account.cookie);
    expect(confirmed.status).toBe(303);
    const password = 'another long password';
    expect(statusAndText(await sendForm(stage, '/auth/reset', { token, password }))).toEqual(deadLink);
  });

  test('a change cannot be undone twice, after a week, or with another link', async () => {
    const [account, late] = [await signedIn(), await signedIn()];
    const confirming = await requestChange(account);
    expect((await confirm(confirming, account.cookie)).status).toBe(303);
    const used = await stage.tokenFor(account.email);
    expect((await undo(used)).status).toBe(200);
    const lateToken = await changed(late, freshEmail());
    stage.clock.advance({ days: 7 });
    for (const token of [used, confirming, lateToken, '']) {
      expect(statusAndText(await undo(token))).toEqual(deadLink);
      expect(statusAndText(await openPage(stage, `/auth/undo-email?token=${token}`))).toEqual(deadLink);
    }
  });
});

describe('401', () => {
  test('a wrong password is marked, and no mail is sent', async () => {
    const account = await signedIn();
    const email = freshEmail();
    const refused = await ask({ ...account, password: 'not the password' }, email);
    expect(statusAndText(refused)).toEqual([401, expect.stringContaining('This password is wrong.')]);
    expect(refused.text).toContain(`value="${email}"`);
    const asked = await stage.database.asSuperuser(
      'SELECT id FROM identity.mail_request WHERE recipient = $1',
      [email],
    );
    expect(asked).toEqual([]);
  });
});

describe('409', () => {
  test('an address that was taken meanwhile stays with its account', async () => {
    const [first, second] = [await signedIn(), await signedIn()];
    const email = freshEmail();
    const token = await requestChange(first, email);
    expect((await ask(second, email)).status).toBe(200);
    const other = await stage.tokenFor(email, 2);
    const statuses = (await Promise.all([confirm(token, first.cookie), confirm(other, second.cookie)])).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set([303, 409]));
  });

  test('a change is not undone when another account now has the old address', async () => {
    const [account, heir] = [await signedIn(), await signedIn()];
    const token = await changed(account, freshEmail());
    expect((await ask(heir, account.email)).status).toBe(200);
    const inherited = await stage.tokenFor(account.email, 2);
    expect((await confirm(inherited, heir.cookie)).status).toBe(303);
    const refused = await undo(token);
    expect(statusAndText(refused)).toEqual([409, expect.stringContaining('Change not undone')]);
    expect((await openPage(stage, '/account', account.cookie)).status).toBe(200);
  });
});

describe('429', () => {
  test('a request counts in the window of the sign-in form, and an address gets five mails an hour', async () => {
    const account = await signedIn();
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent += 1)
      statuses.push((await ask(account, 'no address', '192.0.2.78')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    const email = freshEmail();
    const mails: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) mails.push((await ask(account, email)).status);
    expect(mails).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
