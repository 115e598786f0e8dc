import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cookieOf, openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { TestAccount } from '../../../../test/identity.ts';
import type { MailedIdentity } from '../../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../../test/mailed-identity.ts';

let stage: MailedIdentity;
let owner: TestAccount;
let ownerCookie: string;
let members: string;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
  owner = await stage.createAccount();
  ownerCookie = await signInForCookie(stage, owner);
  members = `/platform/${owner.organizationKey}/members`;
});
afterAll(() => stage.stop());

const invite = (email: string, cookie = ownerCookie, role = 'member') =>
  sendForm(stage, `/platform/${owner.organizationKey}/invitations`, { email, role }, { cookie });

async function guestWithLink(): Promise<{ guest: TestAccount; cookie: string; token: string }> {
  const guest = await stage.createAccount();
  expect((await invite(guest.email)).status).toBe(200);
  return { guest, cookie: await signInForCookie(stage, guest), token: await stage.tokenFor(guest.email) };
}

describe('200', () => {
  test('a signed-in account sees the organization and the role; a browser without a session is sent to sign-in', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const signedIn = await openPage(stage, `/auth/join?token=${token}`, cookie);
    expect([signedIn.status, signedIn.text]).toEqual([200, expect.stringContaining('Join as member')]);
    expect(signedIn.text).toContain(guest.email);
    expect(signedIn.text).toContain(`“Member 1” (${owner.email})`);
    const stranger = await openPage(stage, `/auth/join?token=${token}`);
    expect(stranger.text).toContain(`/auth/signin?return&#61;%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    expect(stranger.text).not.toContain('/auth/join/account');
    expect(stranger.text).toContain(`${guest.email}</strong> has an account`);
  });

  test('the organization lists its members, and shows the invitation form only with the permission', async () => {
    const { guest, cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const seen = await openPage(stage, members, cookie);
    expect(seen.text).toContain(owner.username);
    expect(seen.text).toContain(guest.username);
    expect(seen.text).not.toContain('Send invitation');
    expect((await openPage(stage, members, ownerCookie)).text).toContain('Send invitation');
  });
});

/** The first page of the organization, and its open invitations. */
const start = () => members.slice(0, members.lastIndexOf('/'));
const invitations = () => `${start()}/invitations`;
const cancelAction = /action="(\/platform\/[a-z0-9-]+\/invitations\/[0-9a-f-]{36}\/cancel)"/;
const resendAction = /action="(\/platform\/[a-z0-9-]+\/invitations\/[0-9a-f-]{36}\/resend)"/;

describe('open invitations', () => {
  test('are listed for members who may invite, and cancelled by a button; the link is then invalid', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const page = await openPage(stage, invitations(), ownerCookie);
    expect(page.text).toContain(guest.email);
    const [, action = ''] = cancelAction.exec(page.text.slice(page.text.indexOf(guest.email))) ?? [];
    const cancelled = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([cancelled.status, cancelled.headers.location]).toEqual([303, invitations()]);
    expect((await openPage(stage, invitations(), ownerCookie)).text).not.toContain(guest.email);
    expect((await openPage(stage, `/auth/join?token=${token}`, cookie)).status).toBe(400);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(400);
    const again = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('Invite member')]);
  });

  test('are sent again by a button: the new link works for another week, the old one is invalid', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const page = await openPage(stage, invitations(), ownerCookie);
    const [, action = ''] = resendAction.exec(page.text.slice(page.text.indexOf(guest.email))) ?? [];
    const sent = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Invitation sent to')]);
    const again = await stage.tokenFor(guest.email, 2);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(400);
    expect((await sendForm(stage, '/auth/join', { token: again }, { cookie })).status).toBe(303);
    expect((await sendForm(stage, action, {}, { cookie: ownerCookie })).status).toBe(404);
  });

  test('are neither shown to other members nor cancelled by them', async () => {
    const member = await guestWithLink();
    await sendForm(stage, '/auth/join', { token: member.token }, { cookie: member.cookie });
    const { guest } = await guestWithLink();
    expect((await openPage(stage, invitations(), member.cookie)).text).not.toContain(guest.email);
    const page = await openPage(stage, invitations(), ownerCookie);
    const [, action = ''] = cancelAction.exec(page.text) ?? [];
    expect((await sendForm(stage, action, {}, { cookie: member.cookie })).status).toBe(403);
  });
});

describe('a person without an account', () => {
  const password = 'a long password';

  test('gets three fields, of which the e-mail address is filled in and not editable', async () => {
    await invite('fields@example.net');
    const token = await stage.tokenFor('fields@example.net');
    const { status, text } = await openPage(stage, `/auth/join?token=${token}`);
    expect(status).toBe(200);
    const [form = ''] = /action="\/auth\/join\/account"[^]*?<\/form>/.exec(text) ?? [];
    const fields = [...form.matchAll(/<input\s[^>]*>/g)].map(([input]) => input);
    const shown = fields.filter((input) => !input.includes('type="hidden"'));
    expect(shown.map((input) => /name="([a-z]+)"/.exec(input)?.[1])).toEqual([
      'email',
      'username',
      'password',
    ]);
    expect(shown[0]).toMatch(/readonly[^]*value="fields@example.net"/);
    expect(shown[1]).toContain('value="fields"');
    expect(text).toContain('Sign in to an existing account and join');
  });

  test('joins with one form after one mail, and arrives in the organization', async () => {
    const email = 'one-mail@example.net';
    await invite(email);
    const token = await stage.tokenFor(email);
    const fields = { token, username: 'one-mail', password };
    const joined = await sendForm(stage, '/auth/join/account', { ...fields, email: 'other@example.net' });
    expect([joined.status, joined.headers.location]).toEqual([303, '/account/organization']);
    const led = await openPage(stage, '/account/organization', cookieOf(joined));
    expect(led.headers.location).toBe(start());
    const shown = await openPage(stage, '/account', cookieOf(joined));
    expect(shown.text).toContain(email);
    expect(stage.mailbox.received.filter(({ to }) => to.includes(email))).toHaveLength(1);
    const again = await sendForm(stage, '/auth/join/account', { ...fields, username: 'another' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('is no longer valid')]);
  });

  test('sees each error beside its field, and the link stays valid', async () => {
    const email = 'mistakes@example.net';
    await invite(email);
    const token = await stage.tokenFor(email);
    const send = (fields: object) =>
      sendForm(stage, '/auth/join/account', { token, username: 'mistakes', password, ...fields });
    const taken = await send({ username: owner.username });
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('id="username-fault"')]);
    expect(taken.text).toContain(`value="${owner.username}"`);
    const short = await send({ password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('id="password-fault"')]);
    expect(short.text).not.toContain('value="short"');
    expect((await send({})).status).toBe(303);
  });

  test('with an account created meanwhile is sent to sign-in', async () => {
    const account = await stage.createAccount();
    await invite(account.email);
    const token = await stage.tokenFor(account.email);
    const refused = await sendForm(stage, '/auth/join/account', { token, username: 'second', password });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Sign in and join')]);
  });

  test('cannot use a cancelled invitation, and gets no account', async () => {
    const email = 'hopeful@example.net';
    await invite(email);
    const token = await stage.tokenFor(email);
    const page = await openPage(stage, invitations(), ownerCookie);
    const [, action = ''] = cancelAction.exec(page.text.slice(page.text.indexOf(email))) ?? [];
    await sendForm(stage, action, {}, { cookie: ownerCookie });
    const refused = await sendForm(stage, '/auth/join/account', { token, username: 'hopeful', password });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is no longer valid')]);
    expect(cookieOf(refused)).toBe('');
    expect((await sendForm(stage, '/auth/signin', { email, password })).status).toBe(401);
  });
});

describe('303', () => {
  test('joining redirects to the organization; without a session to sign-in and back', async () => {
    const { cookie, token } = await guestWithLink();
    const stranger = await sendForm(stage, '/auth/join', { token });
    expect(stranger.headers.location).toBe(`/auth/signin?return=%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    const joined = await sendForm(stage, '/auth/join', { token }, { cookie });
    expect([joined.status, joined.headers.location]).toEqual([303, '/account/organization']);
    const led = await openPage(stage, '/account/organization', cookie);
    expect([led.status, led.headers.location]).toEqual([303, start()]);
  });

  test('the pages of an organization require a session', async () => {
    expect((await openPage(stage, members)).headers.location).toMatch(/^\/auth\/signin/);
    expect((await invite('a@example.net', '')).headers.location).toBe('/auth/signin');
  });
});

describe('400', () => {
  test('an invitation works once and for a week', async () => {
    const { cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const late = await guestWithLink();
    stage.clock.advance({ hours: 7 * 24 });
    for (const dead of [token, late.token])
      for (const { status, text } of [
        await openPage(stage, `/auth/join?token=${dead}`, cookie),
        await sendForm(stage, '/auth/join', { token: dead }, { cookie }),
      ])
        expect([status, text]).toEqual([400, expect.stringContaining('is no longer valid')]);
  });

  test('an invalid e-mail address is marked, and the role owner is refused', async () => {
    const marked = await invite('not an address');
    expect([marked.status, marked.text]).toEqual([400, expect.stringContaining('id="email-fault"')]);
    const kept = (await invite('not an address', ownerCookie, 'viewer')).text;
    expect(kept).toContain('value="not an address"');
    expect(kept).toMatch(/value="viewer"\s+checked/);
    expect((await invite('a@example.net', ownerCookie, 'owner')).status).toBe(400);
  });
});

describe('409', () => {
  test('a member who follows the link of another sees an error, and the link stays valid', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const refused = await sendForm(stage, '/auth/join', { token }, { cookie: ownerCookie });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('You are already a member'),
    ]);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(303);
    expect((await openPage(stage, members, ownerCookie)).text).toContain(guest.username);
  });
});

describe('403', () => {
  test('a member without the permission who sends the form invites no one', async () => {
    const { cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const refused = await invite('friend@example.net', cookie, 'admin');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Forbidden')]);
    expect(stage.mailbox.received.some(({ to }) => to.includes('friend@example.net'))).toBe(false);
  });
});
