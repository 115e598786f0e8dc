import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testAuthUrl } from '../../../test/identity.ts';
import type { MailedIdentity } from '../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../test/mailed-identity.ts';
import { callers, members } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import { findAccount } from '../accounts/account-store.ts';
import type { SessionId } from '../credentials/session.ts';
import { acceptInvitation } from '../invitations/accept-invitation.ts';
import { requestMail } from '../mail/request-mail.ts';
import { changePassword, requestPasswordReset, resetPassword } from '../recovery/reset-password.ts';
import { openBrowserSession } from '../sessions/browser-session.ts';
import { createOwner, unlockAccount } from './create-owner.ts';
import { signUpByInvitation } from './sign-up-by-invitation.ts';
import type { SignUpRequest } from './sign-up.ts';
import { confirmSignUp, signUp } from './sign-up.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'test' };
let made = 0;
function newcomer(): SignUpRequest {
  made += 1;
  return {
    username: `new-${made}`,
    email: `new-${made}@example.net`,
    name: `New ${made}`,
    password: `a long password ${made}`,
    client,
  };
}

const post = (email: string, password: string) => stage.post('/api/auth/token', { email, password });

const tokenFor: MailedIdentity['tokenFor'] = (address, count) => stage.tokenFor(address, count);

describe('sign-up', () => {
  test('creates no account until the mailed link is opened, then one with an organization and a workspace', async () => {
    const person = newcomer();
    await signUp(stage.identity, person);
    expect((await post(person.email, person.password)).status).toBe(401);
    const mail = await stage.mailbox.latestTo(person.email);
    expect(mail.body).toContain(`${testAuthUrl}/auth/confirm?token=`);
    const accountId = await confirmSignUp(stage.identity, { token: mail.token ?? '', client });
    expect(await findAccount(stage.identity.database, accountId)).toMatchObject({
      username: person.username,
      memberships: [{ role: 'owner' }],
      workspaces: [{ workspaceName: 'General', role: 'owner' }],
    });
    expect((await post(person.email, person.password)).status).toBe(200);
  });

  test('accepts a link once, and not after a day', async () => {
    const [once, late] = [newcomer(), newcomer()];
    await signUp(stage.identity, once);
    const token = await tokenFor(once.email);
    await confirmSignUp(stage.identity, { token, client });
    await expect(confirmSignUp(stage.identity, { token, client })).rejects.toThrow(/invalid_link/);
    await signUp(stage.identity, late);
    const lateToken = await tokenFor(late.email);
    stage.clock.advance({ hours: 24 });
    await expect(confirmSignUp(stage.identity, { token: lateToken, client })).rejects.toThrow(/invalid_link/);
  });

  test('returns the same result for an address with an account, and sends its owner a mail', async () => {
    const account = await stage.createAccount();
    await expect(signUp(stage.identity, { ...newcomer(), email: account.email.toUpperCase() })).resolves.toBe(
      undefined,
    );
    const mail = await stage.mailbox.latestTo(
      account.email.toUpperCase().replace('EXAMPLE.ORG', 'example.org'),
    );
    expect(mail.subject).toBe('You already have an account');
    expect(mail.token).toBeUndefined();
  });

  test('gives a username requested twice to the sign-up whose link is opened first', async () => {
    const [one, other] = [newcomer(), { ...newcomer(), username: `new-${made - 1}` }];
    await signUp(stage.identity, one);
    await signUp(stage.identity, other);
    await confirmSignUp(stage.identity, { token: await tokenFor(one.email), client });
    const token = await tokenFor(other.email);
    await expect(confirmSignUp(stage.identity, { token, client })).rejects.toThrow('This username is taken.');
    await expect(signUp(stage.identity, { ...newcomer(), username: one.username })).rejects.toThrow(
      /conflict/,
    );
  });

  test('proposes a free username from the address or the name, the same whether or not the address has an account', async () => {
    const sign = async (fields: Partial<SignUpRequest>): Promise<string | undefined> => {
      const request = { ...newcomer(), username: '', ...fields };
      await signUp(stage.identity, request);
      const [row] = await stage.database.asSuperuser(
        'SELECT username FROM identity.sign_up WHERE email = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
        [request.email],
      );
      return row?.['username'] as string | undefined;
    };
    expect(await sign({ email: 'Zoe.Bronte@example.net' })).toBe('zoe-bronte');
    expect(await sign({ email: 'z@example.net', name: 'Zora Neale' })).toBe('zora-neale');
    expect(await sign({ email: 'admin@example.net', name: '林徽因' })).toBe('member');
    const { username } = await stage.createAccount();
    expect(await sign({ email: `${username}@example.net`, name: 'Zora' })).toBe('zora');
    expect(await sign({ email: `${username}@example.net`, name: '林徽因' })).toBe(`${username}-2`);
    await expect(signUp(stage.identity, { ...newcomer(), username })).rejects.toMatchObject({
      errors: [{ in: 'body', name: 'username', message: `is taken. Try “${username}-2”` }],
    });
  });

  test('refuses an organization key as username', async () => {
    const { organizationKey: username } = await stage.createAccount();
    await expect(signUp(stage.identity, { ...newcomer(), username })).rejects.toThrow(/conflict/);
  });

  test('accepts another username at confirmation; a refused one leaves the link valid', async () => {
    const [person, other] = [newcomer(), await stage.createAccount()];
    await signUp(stage.identity, { ...person, username: '' });
    const token = await tokenFor(person.email);
    for (const [username, refusal] of [
      [other.username, /conflict/],
      ['No', /invalid_request/],
      ['support', /invalid_request/],
    ] as const)
      await expect(confirmSignUp(stage.identity, { token, username, client })).rejects.toThrow(refusal);
    const accountId = await confirmSignUp(stage.identity, { token, username: 'chosen-later', client });
    expect(await findAccount(stage.identity.database, accountId)).toMatchObject({ username: 'chosen-later' });
  });

  test.each([
    [{ username: 'Ada' }, 'username'],
    [{ username: 'security' }, 'username'],
    [{ name: 'Daybook Support' }, 'name'],
    [{ name: 'P\u0430ypal' }, 'name'],
    [{ username: 'a_' }, 'username'],
    [{ username: '-abc' }, 'username'],
    [{ email: 'ada@localhost' }, 'email'],
    [{ name: 'Ada\r\nBcc: all@example.org' }, 'name'],
    [{ name: '\u202Eadmin' }, 'name'],
    [{ name: 'Support at evil.example' }, 'name'],
    [{ name: 'Click here to confirm your account' }, 'name'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(257) }, 'password'],
  ])('refuses %j and names the field', async (fields, name) => {
    await expect(signUp(stage.identity, { ...newcomer(), ...fields })).rejects.toMatchObject({
      definition: { code: 'invalid_request' },
      errors: [expect.objectContaining({ name })],
    });
  });
});

describe('password reset', () => {
  test('sets the password, ends every session, clears the lock and notifies the owner', async () => {
    const account = await stage.createAccount();
    const { refresh_token } = await stage.signIn(account);
    for (let failure = 0; failure < 5; failure += 1) await post(account.email, 'wrong password');
    await requestPasswordReset(stage.identity, { email: account.email, client });
    const token = await tokenFor(account.email);
    await resetPassword(stage.identity, { token, password: 'another long password', client });
    expect((await post(account.email, 'another long password')).status).toBe(200);
    expect((await post(account.email, account.password)).status).toBe(401);
    expect((await stage.post('/api/auth/token/refresh', { refresh_token })).status).toBe(401);
    expect((await stage.mailbox.latestTo(account.email, 2)).subject).toBe('Your password was changed');
  });

  test('invalidates all earlier links', async () => {
    const account = await stage.createAccount();
    await requestPasswordReset(stage.identity, { email: account.email, client });
    const first = await tokenFor(account.email);
    await requestPasswordReset(stage.identity, { email: account.email, client });
    const second = await tokenFor(account.email, 2);
    await resetPassword(stage.identity, { token: second, password: 'another long password', client });
    for (const token of [first, second]) {
      const again = resetPassword(stage.identity, { token, password: 'yet another password', client });
      await expect(again).rejects.toThrow(/invalid_link/);
    }
  });

  test('expires after an hour', async () => {
    const account = await stage.createAccount();
    await requestPasswordReset(stage.identity, { email: account.email, client });
    const token = await tokenFor(account.email);
    stage.clock.advance({ hours: 1 });
    const late = resetPassword(stage.identity, { token, password: 'another long password', client });
    await expect(late).rejects.toThrow(/invalid_link/);
  });

  test('sends no mail for an address without an account, and returns the same result', async () => {
    await requestPasswordReset(stage.identity, { email: 'nobody@example.net', client });
    const account = await stage.createAccount();
    await requestPasswordReset(stage.identity, { email: account.email, client });
    await stage.mailbox.latestTo(account.email);
    expect(stage.mailbox.received.filter((mail) => mail.to.includes('nobody@example.net'))).toEqual([]);
  });

  test('refuses a link of another purpose', async () => {
    const account = await stage.createAccount();
    await requestPasswordReset(stage.identity, { email: account.email, client });
    const token = await tokenFor(account.email);
    await expect(confirmSignUp(stage.identity, { token, client })).rejects.toThrow(/invalid_link/);
    await expect(acceptInvitation(stage.identity, { token, accountId: account.id, client })).rejects.toThrow(
      /invalid_link/,
    );
  });
});

test('changes a password with the old one, and ends all other sessions', async () => {
  const account = await stage.createAccount();
  const [own, other] = [await stage.signIn(account), await stage.signIn(account)];
  const me = await stage.get('/api/v1/me', { authorization: `Bearer ${own.access_token}` });
  const { id } = me.json()['credential'] as { id: string };
  const sessionId = parseId<'session'>(id);
  const change = {
    accountId: account.id,
    sessionId: (sessionId.ok ? sessionId.value : '') as SessionId,
    newPassword: 'another long password',
    client,
  };
  await expect(changePassword(stage.identity, { ...change, currentPassword: 'wrong' })).rejects.toThrow(
    /invalid_credentials/,
  );
  await changePassword(stage.identity, { ...change, currentPassword: account.password });
  const refresh = (refresh_token: string) => stage.post('/api/auth/token/refresh', { refresh_token });
  expect((await refresh(own.refresh_token)).status).toBe(200);
  expect((await refresh(other.refresh_token)).status).toBe(401);
});

describe('an invitation', () => {
  async function invite(email: string) {
    const owner = await stage.createAccount();
    const account = await findAccount(stage.identity.database, owner.id);
    const [membership] = account?.memberships ?? [];
    if (membership === undefined) throw new Error('no organization');
    const { organizationId, organizationKey: platformKey } = membership;
    const signIn = { accountId: owner.id, client, method: 'password' } as const;
    const { sessionId } = await openBrowserSession(stage.identity, signIn);
    const caller = callers.callerOfAccount(owner, sessionId);
    await members.inviteMember(stage.access, { caller, platformKey, email, role: 'member', client });
    return { organizationId, owner };
  }

  test('adds an account to the organization and its workspaces, once', async () => {
    const guest = await stage.createAccount();
    const { organizationId } = await invite(guest.email);
    const token = await tokenFor(guest.email);
    await acceptInvitation(stage.identity, { token, accountId: guest.id, client });
    const tokens = await stage.signIn(guest);
    expect(tokens.user).toMatchObject({ organizationId, role: 'member' });
    expect(tokens.user['workspaces']).toHaveLength(2);
    await expect(acceptInvitation(stage.identity, { token, accountId: guest.id, client })).rejects.toThrow(
      /invalid_link/,
    );
  });

  test('names its sender and their address in the mail, and quotes the chosen names', async () => {
    const { owner } = await invite('guest@example.net');
    const { subject, body } = await stage.mailbox.latestTo('guest@example.net');
    const name = owner.username.replace('member-', 'Member ');
    const organization = owner.username.replace('member-', 'Team ');
    expect(body).toContain(
      `“${name}” (${owner.email}) invites you to join the organization “${organization}”`,
    );
    expect(body).toContain('as member');
    expect(subject).toMatch(/^=\?UTF-8\?/);
  });

  test('sends no mail if it was cancelled before the mail was written', async () => {
    const request = await stage.identity.database.transaction().execute(async (transaction) => {
      const id = stage.identity.ids.next<'mail request'>();
      const mail = { kind: 'join_organization', recipient: 'late@example.net', subjectId: id } as const;
      await requestMail(transaction, stage.identity, mail);
      return id;
    });
    expect(request).toEqual(expect.any(String));
    await invite('later@example.net');
    await stage.mailbox.latestTo('later@example.net');
    expect(stage.mailbox.received.filter(({ to }) => to.includes('late@example.net'))).toEqual([]);
  });

  test('creates an account for the invited address in the organization, without a second mail', async () => {
    const { username, password } = newcomer();
    const email = 'Nora.Quist+work@example.net';
    const { organizationId } = await invite(email);
    const token = await tokenFor(email);
    const accountId = await signUpByInvitation(stage.identity, { token, username, password, client });
    expect(await findAccount(stage.identity.database, accountId)).toMatchObject({
      email,
      username,
      name: 'Nora Quist',
      organizationId,
      memberships: [{ organizationId, role: 'member' }],
    });
    expect((await post(email, password)).status).toBe(200);
    expect(stage.mailbox.received.filter(({ to }) => to.includes(email))).toHaveLength(1);
    const again = signUpByInvitation(stage.identity, { token, username: 'again', password, client });
    await expect(again).rejects.toThrow(/invalid_link/);
  });

  test('stays open if the sign-up is refused, and no account is created', async () => {
    const { username, password, email } = newcomer();
    await invite(email);
    const token = await tokenFor(email);
    const taken = await stage.createAccount();
    for (const [fields, refusal] of [
      [{ username: taken.username }, /conflict/],
      [{ username: 'No' }, /invalid_request/],
      [{ password: 'short' }, /invalid_request/],
      [{ password: `${username} 2026` }, /invalid_request/],
      [{ token: 'x' }, /invalid_link/],
    ] as const) {
      const request = { token, username, password, client, ...fields };
      await expect(signUpByInvitation(stage.identity, request)).rejects.toThrow(refusal);
    }
    await signUpByInvitation(stage.identity, { token, username, password, client });
  });

  test('creates no second account for an address that has one', async () => {
    const guest = await stage.createAccount();
    await invite(guest.email);
    const { username, password } = newcomer();
    const token = await tokenFor(guest.email);
    const second = signUpByInvitation(stage.identity, { token, username, password, client });
    await expect(second).rejects.toThrow(/conflict/);
    await acceptInvitation(stage.identity, { token, accountId: guest.id, client });
  });
});

describe('the operator', () => {
  test('unlocks a locked account', async () => {
    const account = await stage.createAccount();
    for (let failure = 0; failure < 5; failure += 1) await post(account.email, 'wrong password');
    expect(await unlockAccount(stage.identity, account.email)).toBe(true);
    expect((await post(account.email, account.password)).status).toBe(200);
    await expect(unlockAccount(stage.identity, 'nobody@example.net')).rejects.toThrow(/not_found/);
  });

  test('cannot create two accounts with one e-mail address, in any spelling', async () => {
    const owner = (email: string, username: string) =>
      createOwner(stage.identity, {
        ...newcomer(),
        email,
        username,
        organization: { key: username, name: username },
        superuser: true,
      });
    await owner('Twice@Example.net', 'twice-one');
    await expect(owner('twice@example.NET', 'twice-two')).rejects.toThrow(/conflict/);
  });
});
