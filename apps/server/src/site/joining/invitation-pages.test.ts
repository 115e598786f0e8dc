import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../test/form-client.ts';
import type { TestAccount } from '../../../test/identity.ts';
import type { MailedIdentity } from '../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../test/mailed-identity.ts';

let stage: MailedIdentity;
let owner: TestAccount;
let ownerCookie: string;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
  owner = await stage.createAccount();
  ownerCookie = await signInForCookie(stage, owner);
});
afterAll(() => stage.stop());

const invite = (email: string, cookie = ownerCookie, role = 'member') =>
  sendForm(stage, '/account/organization/invite', { email, role }, { cookie });

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
    const stranger = await openPage(stage, `/auth/join?token=${token}`);
    expect(stranger.text).toContain(`/auth/signin?return&#61;%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    expect(stranger.text).toContain(`/auth/signup?invitation=${token}`);
  });

  test('the organization lists its members, and offers to invite only to those who may', async () => {
    const { guest, cookie, token } = await guestWithLink();
    await sendForm(stage, '/auth/join', { token }, { cookie });
    const seen = await openPage(stage, '/account/organization', cookie);
    expect(seen.text).toContain(owner.username);
    expect(seen.text).toContain(guest.username);
    expect(seen.text).not.toContain('Send invitation');
    expect((await openPage(stage, '/account/organization', ownerCookie)).text).toContain('Send invitation');
  });
});

describe('303', () => {
  test('joining leads to the organization; without a session it leads to the door and back', async () => {
    const { cookie, token } = await guestWithLink();
    const stranger = await sendForm(stage, '/auth/join', { token });
    expect(stranger.headers.location).toBe(`/auth/signin?return=%2Fauth%2Fjoin%3Ftoken%3D${token}`);
    const joined = await sendForm(stage, '/auth/join', { token }, { cookie });
    expect([joined.status, joined.headers.location]).toEqual([303, '/account/organization']);
  });

  test('the pages of an organization are for those who have signed in', async () => {
    expect((await openPage(stage, '/account/organization')).status).toBe(303);
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
    expect((await invite('a@example.net', ownerCookie, 'owner')).status).toBe(400);
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
