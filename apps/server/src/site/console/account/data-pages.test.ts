import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { TestAccount, TestIdentity } from '../../../../test/identity.ts';
import { startTestIdentity } from '../../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

interface SignedIn extends TestAccount {
  readonly cookie: string;
}

async function signedIn(): Promise<SignedIn> {
  const account = await stage.createAccount();
  return { ...account, cookie: await signInForCookie(stage, account) };
}

const request = ({ password, cookie }: SignedIn, from?: string) =>
  sendForm(
    stage,
    '/account/data/export',
    { currentPassword: password },
    { cookie, ...(from !== undefined && { from }) },
  );

/** One of every kind of data of an account. */
const things = [
  `INSERT INTO identity.account_picture (account_id, id, media_type, width, height, content, created_at)
   SELECT id, gen_random_uuid(), 'image/png', 2, 3, convert_to('picture of ' || username, 'UTF8'), now()
   FROM identity.account WHERE id = $1`,
  `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
   SELECT gen_random_uuid(), id, convert_to(username, 'UTF8'), '', 0, 'passkey of ' || username, now()
   FROM identity.account WHERE id = $1`,
  `INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires)
   SELECT gen_random_uuid(), organization_id, 'token of ' || username, convert_to(username, 'UTF8'), id, 'owner',
     now(), '' FROM identity.account WHERE id = $1`,
  `INSERT INTO agents.agent (id, organization_id, name, slug, display_name, description, template_name, system_prompt,
     llm_provider, categories, reads_public_record, created_by, created_at, updated_at)
   SELECT gen_random_uuid(), organization_id, 'agent of ' || username, username, '', '', '', '', '', '{}', true, id,
     now(), now() FROM identity.account WHERE id = $1`,
  `INSERT INTO agents.answer (id, organization_id, agent_id, account_id, question, sentences, contradictions, unanswered,
     written_by, created_at)
   SELECT gen_random_uuid(), account.organization_id, agent.id, account.id, 'question of ' || username,
     '[{"kind": "item", "id": "1", "hash": "2"}]', '[]', '{}', 'extract', now()
   FROM identity.account JOIN agents.agent ON agent.created_by = account.id WHERE account.id = $1`,
  `INSERT INTO agents.schedule (id, organization_id, agent_id, agent_name, account_id, name, question, repeats, hour,
     time_zone, created_at, next_run_at)
   SELECT gen_random_uuid(), account.organization_id, agent.id, '', account.id, 'schedule of ' || username, 'What?',
     'daily', 8, 'UTC', now(), now()
   FROM identity.account JOIN agents.agent ON agent.created_by = account.id WHERE account.id = $1`,
  `INSERT INTO storage.project (id, organization_id, workspace_id, name, folded_name, created_by, created_at, updated_at)
   SELECT account.id, account.organization_id, workspace.id, 'project', 'project', account.id, now(), now()
   FROM identity.account JOIN identity.workspace USING (organization_id) WHERE account.id = $1`,
  `INSERT INTO storage.entry (project_id, id, kind, name, folded_name, created_by, created_at, updated_at)
   SELECT id, gen_random_uuid(), 'folder', 'folder of ' || username, username, id, now(), now()
   FROM identity.account WHERE id = $1`,
  `INSERT INTO storage.link (id, project_id, entry_id, secret_hash, created_by, created_at, expires_at)
   SELECT gen_random_uuid(), project_id, id, sha256(convert_to(id::text, 'UTF8')), created_by, now(), '2100-01-01'
   FROM storage.entry WHERE created_by = $1`,
  `INSERT INTO access.share (id, organization_id, resource, level, actions, resources, account_id, created_by, created_at)
   SELECT gen_random_uuid(), organization_id, '/thing of ' || username, 'read', '{x}', '{x}', id, id, now()
   FROM identity.account WHERE id = $1`,
];

/** The address of a requested download. */
async function downloadOf(account: SignedIn): Promise<string> {
  const { status, headers } = await request(account);
  expect([status, headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/account\/data\/export\?ticket=/),
  ]);
  return headers.location ?? '';
}

describe('200', () => {
  test('one document has all data of the account, none of others and no secret', async () => {
    const [account, other] = [await signedIn(), await signedIn()];
    const made: string[] = [];
    for (const { cookie, username, password } of [account, other]) {
      const fields = { name: `key of ${username}`, access: 'read_only', currentPassword: password };
      const { text } = await sendForm(stage, '/account/api-keys', fields, { cookie });
      made.push(/>([0-9a-f]{64})</.exec(text)?.[1] ?? '');
    }
    for (const { id } of [account, other])
      for (const statement of things) await stage.database.asSuperuser(statement, [id]);
    await stage.database.asSuperuser(
      `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
       SELECT organization_id, $1, 'viewer', '2027-01-01' FROM identity.account WHERE id = $2`,
      [account.id, other.id],
    );
    await stage.database.asSuperuser(
      `INSERT INTO mailing.subscription (id, email, normalised_email, language, daily, weekly, requested_at)
       VALUES (gen_random_uuid(), $1, $1, 'en', true, false, now())`,
      [account.email],
    );
    const { text, headers, status } = await openPage(stage, await downloadOf(account), account.cookie);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="daybook-${account.username}.json"`,
    });
    const { username } = account;
    expect(JSON.parse(text)).toMatchObject({
      profile: {
        email: account.email,
        username,
        picture: { mediaType: 'image/png', width: 2, height: 3, base64: btoa(`picture of ${username}`) },
        hasPassword: true,
        hasSecondFactor: false,
      },
      emailChanges: [],
      organizations: [
        { key: account.organizationKey, role: 'owner', current: true, groups: [] },
        { key: other.organizationKey, role: 'viewer', current: false },
      ],
      sessions: [{ kind: 'browser' }],
      apiKeys: [{ name: `key of ${username}`, organizations: null, permissions: 'read_only' }],
      passkeys: [{ name: `passkey of ${username}` }],
      mailSubscriptions: [{ email: account.email, daily: true, weekly: false, confirmedAt: null }],
      platformTokens: [{ name: `token of ${username}`, mode: 'owner', expiresAt: null }],
      agents: [{ organization: account.organizationKey, name: `agent of ${username}` }],
      answers: [
        {
          organization: account.organizationKey,
          question: `question of ${username}`,
          sentences: [{ kind: 'item' }],
        },
      ],
      schedules: [{ organization: account.organizationKey, name: `schedule of ${username}` }],
      filesAndFolders: [{ project: 'project', kind: 'folder', name: `folder of ${username}` }],
      sharedWithYou: [{ resource: `/thing of ${username}`, level: 'read' }],
      links: [{ kind: 'folder', name: `folder of ${username}`, openedCount: 0 }],
      activity: [
        { kind: 'account_exported', sentence: 'You downloaded the data of your account.' },
        { kind: 'api_key_created' },
        { kind: 'session_opened' },
        { kind: 'account_created' },
      ],
    });
    const [{ password_hash: hash }] = (await stage.database.asSuperuser(
      'SELECT password_hash FROM identity.account WHERE id = $1',
      [account.id],
    )) as [Record<string, string>];
    const secrets = [...made, hash, account.cookie.split('=')[1], account.password];
    for (const hidden of [...secrets, other.email, other.username, other.id])
      expect(text).not.toContain(hidden);
  });

  test('activity beyond one batch is included', async () => {
    const account = await signedIn();
    await stage.database.asSuperuser(
      `INSERT INTO audit.event (id, at, kind, account_id, detail)
       SELECT ('018f0000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, now(), 'old', $1, '{}'
       FROM generate_series(1, 1200) AS number`,
      [account.id],
    );
    const { text } = await openPage(stage, await downloadOf(account), account.cookie);
    const { activity } = JSON.parse(text) as { activity: { kind: string }[] };
    expect(activity.filter(({ kind }) => kind === 'old')).toHaveLength(1_200);
  });
});

describe('303', () => {
  test('a ticket works once, for five minutes, in the session that requested it', async () => {
    const [account, stranger] = [await signedIn(), await signedIn()];
    const again = await signInForCookie(stage, account);
    const address = await downloadOf(account);
    const refused = [303, '/account/data'];
    const open = async (path: string, cookie?: string) => {
      const { status, headers } = await openPage(stage, path, cookie);
      return [status, headers.location];
    };
    for (const cookie of [stranger.cookie, again, undefined, `${account.cookie}0`])
      expect(await open(address, cookie)).toEqual(refused);
    const altered = address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const path of [altered.slice(0, -4), '/account/data/export', '/account/data/export?ticket=x'])
      expect(await open(path, account.cookie)).toEqual(refused);
    expect(await open(address, account.cookie)).toEqual([200, undefined]);
    expect(await open(address, account.cookie)).toEqual(refused);
    const late = await downloadOf(account);
    stage.clock.advance({ minutes: 5 });
    expect(await open(late, account.cookie)).toEqual(refused);
  });

  test('tokens and keys do not open it', async () => {
    const account = await signedIn();
    const address = await downloadOf(account);
    const { access_token: token } = await stage.signIn(account);
    const fields = { name: 'key', currentPassword: account.password };
    const { text } = await sendForm(stage, '/account/api-keys', fields, account);
    const key = />([0-9a-f]{64})</.exec(text)?.[1] ?? '';
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': key }])
      expect((await stage.get(address, headers)).status).toBe(303);
    expect((await openPage(stage, '/account/data')).headers.location).toMatch(/^\/auth\/signin/);
    expect((await sendForm(stage, '/account/data/export', {})).headers.location).toBe('/auth/signin');
  });
});

describe('400', () => {
  test('an unknown query parameter is refused', async () => {
    const { cookie } = await signedIn();
    expect((await openPage(stage, '/account/data/export?other=1', cookie)).status).toBe(400);
  });
});

describe('401', () => {
  test('a wrong password is marked', async () => {
    const account = await signedIn();
    const { status, text } = await request({ ...account, password: 'not the password' });
    expect([status, text]).toEqual([401, expect.stringContaining('This password is wrong.')]);
  });

  test('the password alone is not enough with a second factor', async () => {
    const account = await signedIn();
    await stage.database.asSuperuser(
      'INSERT INTO identity.second_factor (account_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())',
      [account.id, Buffer.from('sealed')],
    );
    const { status, text } = await request(account);
    expect([status, text]).toEqual([401, expect.stringContaining('id="one_time_code"')]);
  });
});

describe('429', () => {
  test('a request counts in the window of the sign-in form', async () => {
    const account = await signedIn();
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await request(account, '192.0.2.79')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
  });
});
