import { afterAll, beforeAll, expect, test } from 'vitest';

import { cookieOf, openPage, sendForm, signInForCookie } from '../../form-client.ts';
import type { MailedIdentity } from '../../mailed-identity.ts';
import { startMailedIdentity } from '../../mailed-identity.ts';
import { findInDatabase, findInText } from '../../secret-search.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

test('no secret is stored in the database or the log after sign-up, reset and invitation by real mail', async () => {
  const account = await stage.createAccount();
  const session = await signInForCookie(stage, account);
  const email = 'secret@example.net';
  const invitations = `/platform/${account.organizationKey}/invitations`;
  await sendForm(stage, invitations, { email, role: 'member' }, { cookie: session });
  const invitation = await stage.tokenFor(email);
  const password = 'the password of a newcomer';
  await openPage(stage, `/auth/join?token=${invitation}`);
  const invited = { token: invitation, username: 'invited', password: 'the password of a colleague' };
  const joined = await sendForm(stage, '/auth/join/account', invited);
  const own = 'own@example.net';
  await sendForm(stage, '/auth/signup', { username: 'secret', name: 'S', email: own, password });
  const confirmation = await stage.tokenFor(own);
  await openPage(stage, `/auth/confirm?token=${confirmation}`);
  const confirmed = await sendForm(stage, '/auth/confirm', { token: confirmation });
  await sendForm(stage, '/auth/forgot', { email: account.email });
  const reset = await stage.tokenFor(account.email);
  await openPage(stage, `/auth/reset?token=${reset}`);
  const afterReset = 'the password after a reset';
  expect((await sendForm(stage, '/auth/reset', { token: reset, password: afterReset })).status).toBe(200);
  const unused = await stage.createAccount();
  await sendForm(stage, '/auth/forgot', { email: unused.email });
  const secrets = {
    session: session.split('=')[1] ?? '',
    'session of the newcomer': cookieOf(confirmed).split('=')[1] ?? '',
    'session of the invited': cookieOf(joined).split('=')[1] ?? '',
    'password of the invited': invited.password,
    invitation,
    confirmation,
    reset,
    'link nobody followed': await stage.tokenFor(unused.email),
    password,
    'password after a reset': afterReset,
  };
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length > 20]).toEqual([name, true]);
  const { asSuperuser } = stage.database;
  expect((await findInDatabase(asSuperuser, { email })).found).not.toEqual([]);
  expect((await findInDatabase(asSuperuser, secrets)).found).toEqual([]);
  expect(findInText(JSON.stringify(stage.app.log), secrets)).toEqual([]);
});
