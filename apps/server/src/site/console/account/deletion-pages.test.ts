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

const path = '/account/data/delete';

interface SignedIn extends TestAccount {
  readonly cookie: string;
}

async function signedIn(): Promise<SignedIn> {
  const account = await stage.createAccount();
  return { ...account, cookie: await signInForCookie(stage, account) };
}

const request = ({ password, cookie }: SignedIn, from?: string) =>
  sendForm(stage, path, { currentPassword: password }, { cookie, ...(from !== undefined && { from }) });

/** Whether the account is deleted after the hourly job, which may have run already. */
async function isSwept({ id, email }: TestAccount): Promise<boolean> {
  await stage.deleteDueAccounts();
  const [row] = await stage.database.asSuperuser('SELECT email FROM identity.account WHERE id = $1', [id]);
  return row?.['email'] !== email;
}

async function requested(account: SignedIn): Promise<void> {
  const { status, text } = await request(account);
  expect([status, text]).toEqual([200, expect.stringContaining('Your account will be deleted')]);
}

const rowsOf = (table: string, column: string, id: string) =>
  stage.database.asSuperuser(`SELECT * FROM ${table} WHERE ${column} = $1`, [id]);

/** The contents of an organization in other domains. */
const things = [
  `INSERT INTO identity.account_picture (account_id, id, media_type, width, height, content, created_at)
   VALUES ($1, gen_random_uuid(), 'image/png', 1, 1, '', now())`,
  `INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires)
   SELECT gen_random_uuid(), organization_id, 'token', convert_to(username, 'UTF8'), id, 'owner', now(), ''
   FROM identity.account WHERE id = $1`,
  `INSERT INTO agents.agent (id, organization_id, name, slug, display_name, description, template_name, system_prompt,
     llm_provider, categories, reads_public_record, created_by, created_at, updated_at)
   SELECT gen_random_uuid(), organization_id, 'agent', 'agent', '', '', '', '', '', '{}', true, id, now(), now()
   FROM identity.account WHERE id = $1`,
  `INSERT INTO storage.project (id, organization_id, workspace_id, name, folded_name, created_by, created_at, updated_at)
   SELECT account.id, account.organization_id, workspace.id, 'project', 'project', account.id, now(), now()
   FROM identity.account JOIN identity.workspace USING (organization_id) WHERE account.id = $1`,
];

/** Adds an account to the organization of another. */
async function join(member: TestAccount, owner: TestAccount, role: string): Promise<void> {
  await stage.database.asSuperuser(
    `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
     SELECT id, $1, $3, now() FROM identity.organization WHERE key = $2`,
    [member.id, owner.organizationKey, role],
  );
}

describe('200', () => {
  test('sessions and keys end at once, a mail is sent, and the confirmation lists what is deleted', async () => {
    const account = await signedIn();
    const made = await sendForm(
      stage,
      '/account/api-keys',
      { name: 'one', currentPassword: account.password },
      account,
    );
    const key = { 'x-api-key': />([0-9a-f]{64})</.exec(made.text)?.[1] ?? '' };
    await stage.mailbox.latestTo(account.email);
    const { refresh_token: refreshToken } = await stage.signIn(account);
    const question = await openPage(stage, path, account.cookie);
    expect(question.text).toContain(`Delete account ${account.username}`);
    expect(question.text).toMatch(/deleted with your account:<\/p>\s*<ul>\s*<li>Team/);
    await requested(account);
    stage.clock.advance({ seconds: 1 });
    expect((await openPage(stage, '/account', account.cookie)).status).toBe(303);
    expect((await stage.get('/api/v1/me', key)).status).toBe(401);
    const refreshed = await stage.post('/api/auth/token/refresh', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(401);
    expect((await stage.mailbox.latestTo(account.email, 2)).subject).toBe('Your account will be deleted');
  });

  test('signing in before the deadline cancels the deletion, in the browser and through the API', async () => {
    for (const signIn of [
      (account: SignedIn) => signInForCookie(stage, account),
      (account: SignedIn) => stage.signIn(account),
    ]) {
      const account = await signedIn();
      await requested(account);
      await stage.mailbox.latestTo(account.email);
      stage.clock.advance({ days: 29 });
      expect(await isSwept(account)).toBe(false);
      await signIn(account);
      const { subject, body } = await stage.mailbox.latestTo(account.email, 2);
      expect([subject, body]).toEqual([
        'Account deletion cancelled',
        expect.stringContaining('/auth/forgot'),
      ]);
      stage.clock.advance({ days: 2 });
      expect(await isSwept(account)).toBe(false);
      const cookie = await signInForCookie(stage, account);
      expect((await openPage(stage, '/account/activity', cookie)).text).toContain('cancelled the deletion');
      expect((await openPage(stage, '/account', cookie)).text).toContain('Team');
    }
  });

  test('after the grace period no personal data is left, and address, username and key are free', async () => {
    const account = await signedIn();
    await sendForm(stage, '/account/api-keys', { name: 'one', currentPassword: account.password }, account);
    await stage.mailbox.latestTo(account.email);
    const { organizationId } = (await stage.signIn(account)).user;
    for (const statement of things) await stage.database.asSuperuser(statement, [account.id]);
    const held = async () => [
      (await rowsOf('access.platform_token', 'organization_id', organizationId)).length,
      (await rowsOf('agents.agent', 'organization_id', organizationId)).length,
      (await rowsOf('storage.project', 'organization_id', organizationId)).filter((one) => !one['trashed_at'])
        .length,
    ];
    expect(await held()).toEqual([1, 1, 1]);
    await requested(account);
    await stage.mailbox.latestTo(account.email, 2);
    expect(await held()).toEqual([0, 1, 1]);
    stage.clock.advance({ days: 30 });
    expect(await isSwept(account)).toBe(true);
    expect((await stage.mailbox.latestTo(account.email, 3)).subject).toBe('Your account was deleted');
    const mails = () => rowsOf('identity.mail_request', 'recipient', account.email);
    await expect.poll(mails, { timeout: 15_000 }).toEqual([]);
    expect(await held()).toEqual([0, 0, 0]);
    for (const table of [
      'session',
      'api_key',
      'passkey',
      'second_factor',
      'external_identity',
      'email_change',
      'account_picture',
    ])
      expect([table, await rowsOf(`identity.${table}`, 'account_id', account.id)]).toEqual([table, []]);
    const tables = ['account', 'organization', 'mail_request', 'sign_up', 'invitation', 'mailed_token'];
    for (const table of tables) {
      const [{ found }] = (await stage.database.asSuperuser(
        `SELECT count(*) AS found FROM identity.${table} AS one
         WHERE one::text LIKE '%' || $1 || '%' OR one::text LIKE '%' || $2 || '%'`,
        [account.email, account.organizationKey],
      )) as [Record<string, unknown>];
      expect([table, Number(found)]).toEqual([table, 0]);
    }
    expect(await rowsOf('identity.organization_membership', 'organization_id', organizationId)).toEqual([]);
    const { email, password } = account;
    expect((await stage.post('/api/auth/token', { email, password })).status).toBe(401);
  });

  test('an organization with another owner stays, and that owner cannot leave meanwhile', async () => {
    const [account, heir] = [await signedIn(), await signedIn()];
    await join(heir, account, 'owner');
    await requested(account);
    const leave = () =>
      sendForm(stage, `/platform/${account.organizationKey}/members/${heir.username}/remove`, {}, heir);
    expect((await leave()).status).toBe(409);
    stage.clock.advance({ days: 30 });
    expect(await isSwept(account)).toBe(true);
    const cookie = await signInForCookie(stage, heir);
    const members = await openPage(stage, `/platform/${account.organizationKey}/members`, cookie);
    expect(members.text).toContain(heir.username);
    expect(members.text).not.toContain(account.username);
  });
});

describe('303', () => {
  test('a visitor without a session is sent to sign-in', async () => {
    expect((await openPage(stage, path)).headers.location).toMatch(/^\/auth\/signin/);
    expect((await sendForm(stage, path, {})).headers.location).toBe('/auth/signin');
  });
});

describe('401', () => {
  test('a wrong password is marked and ends nothing', async () => {
    const account = await signedIn();
    const { status, text } = await request({ ...account, password: 'not the password' });
    expect([status, text]).toEqual([401, expect.stringContaining('This password is wrong.')]);
    expect((await openPage(stage, '/account', account.cookie)).status).toBe(200);
  });
});

describe('409', () => {
  test('the last owner of an organization with other members must transfer ownership first', async () => {
    const [account, member] = [await signedIn(), await signedIn()];
    await join(member, account, 'member');
    const question = await openPage(stage, path, account.cookie);
    expect(question.text).toContain('Make another member an owner');
    expect(question.text).not.toContain('<button type="submit" class="danger"');
    const refused = await request(account);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('an owner of “Team')]);
    expect((await openPage(stage, '/account', account.cookie)).status).toBe(200);
  });

  test('of two owners who delete their accounts at once, one stays', async () => {
    const [account, other] = [await signedIn(), await signedIn()];
    await join(other, account, 'owner');
    const statuses = (await Promise.all([request(account), request(other)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
  });
});

describe('429', () => {
  test('a request counts in the window of the sign-in form', async () => {
    const account = await signedIn();
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent += 1)
      statuses.push((await request({ ...account, cookie: '' }, '192.0.2.80')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
  });
});
