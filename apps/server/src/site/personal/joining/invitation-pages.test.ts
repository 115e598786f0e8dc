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
  test('whoever has signed in sees what they join and as what; whoever has not, both ways in', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const signedIn = await openPage(stage, `/auth/join?token=${token}`, cookie);
    expect([signedIn.status, signedIn.text]).toEqual([200, expect.stringContaining('Join as member')]);
    expect(signedIn.text).toContain(guest.email);
    expect(signedIn.text).toContain(`“Member 1” (${owner.email})`);
    const stranger = await openPage(stage, `/auth/join?token=${token}`);
    expect(stranger.text).toContain(`/auth/signin?return&#61;%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    expect(stranger.text).toContain(`/auth/signup?invitation=${token}`);
  });

  test('the organization lists its members, and offers to invite only to those who may', async () => {
    const { guest, cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const seen = await openPage(stage, members, cookie);
    expect(seen.text).toContain(owner.username);
    expect(seen.text).toContain(guest.username);
    expect(seen.text).not.toContain('Send invitation');
    expect((await openPage(stage, members, ownerCookie)).text).toContain('Send invitation');
  });
});

const cancelAction = /action="(\/platform\/[a-z0-9-]+\/invitations\/[0-9a-f-]{36}\/cancel)"/;
const resendAction = /action="(\/platform\/[a-z0-9-]+\/invitations\/[0-9a-f-]{36}\/resend)"/;

describe('open invitations', () => {
  test('are listed for those who may invite, and cancelled by a button; the link then works no more', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const page = await openPage(stage, members, ownerCookie);
    expect(page.text).toContain(guest.email);
    const [, action = ''] = cancelAction.exec(page.text.slice(page.text.indexOf(guest.email))) ?? [];
    const cancelled = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([cancelled.status, cancelled.headers.location]).toEqual([303, members]);
    expect((await openPage(stage, members, ownerCookie)).text).not.toContain(guest.email);
    expect((await openPage(stage, `/auth/join?token=${token}`, cookie)).status).toBe(400);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(400);
    const again = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('Invite somebody')]);
  });

  test('are sent again by a button: the new link works for another week, the old one no more', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const page = await openPage(stage, members, ownerCookie);
    const [, action = ''] = resendAction.exec(page.text.slice(page.text.indexOf(guest.email))) ?? [];
    const sent = await sendForm(stage, action, {}, { cookie: ownerCookie });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('is on its way')]);
    const again = await stage.tokenFor(guest.email, 2);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(400);
    expect((await sendForm(stage, '/auth/join', { token: again }, { cookie })).status).toBe(303);
    expect((await sendForm(stage, action, {}, { cookie: ownerCookie })).status).toBe(404);
  });

  test('are not shown to other members, nor cancelled by them', async () => {
    const member = await guestWithLink();
    await sendForm(stage, '/auth/join', { token: member.token }, { cookie: member.cookie });
    const { guest } = await guestWithLink();
    expect((await openPage(stage, members, member.cookie)).text).not.toContain(guest.email);
    const page = await openPage(stage, members, ownerCookie);
    const [, action = ''] = cancelAction.exec(page.text) ?? [];
    expect((await sendForm(stage, action, {}, { cookie: member.cookie })).status).toBe(403);
  });
});

test('whoever signs up with an invitation that was cancelled meanwhile is told, and has an organization of their own', async () => {
  const email = 'hopeful@example.net';
  await invite(email);
  const invitation = await stage.tokenFor(email);
  const fields = { username: 'hopeful', email, name: 'Hopeful', password: 'a long password' };
  expect((await sendForm(stage, '/auth/signup', { ...fields, invitation })).status).toBe(200);
  const page = await openPage(stage, members, ownerCookie);
  const [, action = ''] = cancelAction.exec(page.text.slice(page.text.indexOf(email))) ?? [];
  await sendForm(stage, action, {}, { cookie: ownerCookie });
  const confirmed = await sendForm(stage, '/auth/confirm', { token: await stage.tokenFor(email, 2) });
  expect(confirmed.headers.location).toBe('/account/organization?invitation=void');
  const led = await openPage(stage, confirmed.headers.location ?? '', cookieOf(confirmed));
  expect(led.headers.location).toBe('/platform/hopeful/members?invitation=void');
  const shown = await openPage(stage, led.headers.location ?? '', cookieOf(confirmed));
  expect(shown.text).toContain('you have not joined');
  expect(shown.text).not.toContain(owner.username);
});

describe('303', () => {
  test('joining leads to the organization; without a session it leads to sign-in and back', async () => {
    const { cookie, token } = await guestWithLink();
    const stranger = await sendForm(stage, '/auth/join', { token });
    expect(stranger.headers.location).toBe(`/auth/signin?return=%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    const joined = await sendForm(stage, '/auth/join', { token }, { cookie });
    expect([joined.status, joined.headers.location]).toEqual([303, '/account/organization']);
    const led = await openPage(stage, '/account/organization', cookie);
    expect([led.status, led.headers.location]).toEqual([303, members]);
  });

  test('the pages of an organization are for those who have signed in', async () => {
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
        expect([status, text]).toEqual([400, expect.stringContaining('does not work any more')]);
  });

  test('what is not an e-mail address is marked, and owner is no role to invite as', async () => {
    const marked = await invite('not an address');
    expect([marked.status, marked.text]).toEqual([400, expect.stringContaining('id="email-fault"')]);
    const kept = (await invite('not an address', ownerCookie, 'viewer')).text;
    expect(kept).toContain('value="not an address"');
    expect(kept).toMatch(/value="viewer"\s+checked/);
    expect((await invite('a@example.net', ownerCookie, 'owner')).status).toBe(400);
  });
});

describe('409', () => {
  test('a member who follows the link of another is told so, and the link still works', async () => {
    const { guest, cookie, token } = await guestWithLink();
    const refused = await sendForm(stage, '/auth/join', { token }, { cookie: ownerCookie });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('You are a member already'),
    ]);
    expect((await sendForm(stage, '/auth/join', { token }, { cookie })).status).toBe(303);
    expect((await openPage(stage, members, ownerCookie)).text).toContain(guest.username);
  });
});

describe('403', () => {
  test('a member who sends the form all the same invites nobody', async () => {
    const { cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const refused = await invite('friend@example.net', cookie, 'admin');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Not allowed')]);
    expect(stage.mailbox.received.some(({ to }) => to.includes('friend@example.net'))).toBe(false);
  });
});
