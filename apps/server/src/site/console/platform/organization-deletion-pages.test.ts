import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { testStorage } from '../../../../test/identity.ts';
import type { TestAccount } from '../../../../test/identity.ts';
import type { MailedIdentity } from '../../../../test/mailed-identity.ts';
import { startMailedIdentity } from '../../../../test/mailed-identity.ts';
import { emptyTrash, removeGarbage } from '../../../storage/trash/empty-trash.ts';

let stage: MailedIdentity;
beforeAll(async () => {
  stage = await startMailedIdentity({ pages: true });
});
afterAll(() => stage.stop());

interface Person extends TestAccount {
  readonly cookie: string;
  readonly headers: { readonly authorization: string };
}

async function signedIn(account?: TestAccount): Promise<Person> {
  const person = account ?? (await stage.createAccount());
  const { access_token: token } = await stage.signIn(person);
  const cookie = await signInForCookie(stage, person);
  return { ...person, cookie, headers: { authorization: `Bearer ${token}` } };
}

let owner: Person;
let org: string;
beforeEach(async () => {
  owner = await signedIn();
  org = owner.organizationKey;
});

const path = (): string => `/platform/${org}/delete`;
const requestDeletion = ({ cookie, password }: Pick<Person, 'cookie' | 'password'> = owner) =>
  sendForm(stage, path(), { currentPassword: password }, { cookie });
const restore = ({ cookie }: Person = owner) => sendForm(stage, `/platform/${org}/restore`, {}, { cookie });
const post = (where: string, json: object, headers: Record<string, string> = owner.headers) =>
  ask(stage.app.port, where, { method: 'POST', json, headers });
const rows = (text: string, ...values: unknown[]) => stage.database.asSuperuser(text, values);

async function join(member: TestAccount, role: string): Promise<void> {
  await rows(
    `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
     SELECT id, $1, $3, now() FROM identity.organization WHERE key = $2`,
    member.id,
    org,
    role,
  );
}

async function deleted(): Promise<void> {
  const { status, text } = await requestDeletion();
  expect([status, text]).toEqual([200, expect.stringContaining('The organization will be deleted')]);
  stage.clock.advance({ seconds: 1 });
}

/** All credentials in the organization: each request gets 200 while it is not deleted. */
async function actors(): Promise<Readonly<Record<string, () => Promise<number>>>> {
  const member = await signedIn();
  await join(member, 'member');
  const createToken = async (name: string, fields: object) => {
    const created = '2026-11-15T00:00:00Z';
    const base = { username: owner.username, name, platform_key: org, created, expires: '' };
    const made = await post('/dm/api/core/platform/api-tokens/', { ...base, ...fields });
    return { authorization: `Api-Token ${String(made.json()['key'])}` };
  };
  const policy = await post('/dm/api/core/rbac/policies/', {
    platform_key: org,
    name: 'reading',
    actions: ['Daybook.Core/Organization/read'],
    resources: [`/organizations/${org}`],
  });
  const own = await createToken('own', { mode: 'owner' });
  const limited = await createToken('limited', {
    mode: 'token_policies',
    policies_to_add: [policy.json()['id']],
  });
  const { organizationId } = (await stage.signIn(owner)).user;
  const scopes = { organizations: [organizationId] };
  const key = { 'x-api-key': String((await post('/api/v1/api-keys', { name: 'k', scopes })).json()['key']) };
  const project = String((await post('/api/v1/projects', { name: 'Notes' })).json()['id']);
  const stored = await ask(stage.app.port, `/api/v1/projects/${project}/files?name=a.txt`, {
    method: 'POST',
    body: 'content of a file',
    headers: { ...owner.headers, 'content-type': 'application/octet-stream' },
  });
  const file = String(stored.json()['id']);
  const link = new URL(String((await post(`/api/v1/files/${file}/links`, {})).json()['url'])).pathname;
  // Mails about two tokens and a key.
  await stage.mailbox.latestTo(owner.email, 3);
  const get = (where: string, headers: Record<string, string>) => async (): Promise<number> =>
    (await stage.get(where, headers)).status;
  const organization = `/dm/api/core/organizations/${org}`;
  return {
    'a member': get(organization, member.headers),
    'the owner': get(organization, owner.headers),
    'a token in owner mode': get(organization, own),
    'a token with policies': get(organization, limited),
    'an API key': get(`/api/v1/files/${file}/content`, key),
    'a link': get(link, {}),
    'a page': async () => (await openPage(stage, `/platform/${org}/settings`, member.cookie)).status,
  };
}

const statuses = async (asked: Awaited<ReturnType<typeof actors>>): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(Object.entries(asked).map(async ([name, ask]) => [name, await ask()])),
  );

describe('200', () => {
  test('the page shows what is deleted', async () => {
    await actors();
    const { status, text } = await openPage(stage, path(), owner.cookie);
    const shown = [...text.matchAll(/data-column="(?:Data|Amount)"[^>]*>([^<]*)</g)].map(([, cell]) =>
      cell?.trim(),
    );
    expect(status).toBe(200);
    expect(shown.join(' ')).toBe(
      'Members 2 Open invitations 0 API tokens 2 Groups 0 Policies 1 Agents 0 Storage projects 1 Stored files 17 bytes Shares 0 Links 1',
    );
    expect(text).toContain('A new, empty organization is created for you');
  });

  test('no credential of the organization works from then on, and all work again when an owner restores it', async () => {
    const asked = await actors();
    const second = await signedIn();
    await join(second, 'owner');
    const allowed = await statuses(asked);
    expect(new Set(Object.values(allowed))).toEqual(new Set([200]));
    await deleted();
    expect(new Set(Object.values(await statuses(asked)))).toEqual(new Set([404]));
    for (const [{ email }, mails] of [[owner, 4] as const, [second, 1] as const])
      expect((await stage.mailbox.latestTo(email, mails)).body).toContain(
        'restore the organization before then',
      );
    const listed = await openPage(stage, '/platform', second.cookie);
    expect(listed.text).toContain(`action="/platform/${org}/restore"`);
    const restored = await restore(second);
    expect([restored.status, restored.headers.location]).toEqual([303, `/platform/${org}`]);
    stage.clock.advance({ seconds: 1 });
    expect(await statuses(asked)).toEqual(allowed);
    expect((await stage.mailbox.latestTo(owner.email, 5)).body).toContain('work again');
    stage.clock.advance({ days: 31 });
    await stage.deleteDueOrganizations();
    expect(await rows('SELECT 1 FROM identity.organization WHERE key = $1', org)).toHaveLength(1);
  });

  test('open invitations are cancelled permanently', async () => {
    const email = `guest-of-${org}@example.net`;
    await sendForm(
      stage,
      `/platform/${org}/invitations`,
      { email, role: 'member' },
      { cookie: owner.cookie },
    );
    const token = await stage.tokenFor(email);
    await deleted();
    const newcomer = { token, username: `guest-of-${org}`, password: 'a long password' };
    expect((await sendForm(stage, '/auth/join/account', newcomer)).status).toBe(400);
    await restore();
    expect((await sendForm(stage, '/auth/join/account', newcomer)).status).toBe(400);
  });

  test('members work in other organizations; those without another get one of their own', async () => {
    const member = await signedIn();
    await join(member, 'member');
    await sendForm(stage, `/platform/${org}/switch`, {}, { cookie: member.cookie });
    await deleted();
    for (const [person, expected] of [
      [member, member.organizationKey],
      [owner, owner.username],
    ] as const) {
      const me = (await stage.get('/api/v1/me', person.headers)).json();
      const { organizations } = me['user'] as { organizations: { platform_key: string }[] };
      expect(organizations.map(({ platform_key: key }) => key)).toEqual([expected]);
      expect((await openPage(stage, '/account/organization', person.cookie)).headers.location).toBe(
        `/platform/${expected}`,
      );
    }
  });

  test('after 30 days everything is deleted, stored bytes included, and the key is free', async () => {
    const asked = await actors();
    const [{ id }] = (await rows('SELECT id FROM identity.organization WHERE key = $1', org)) as [
      { id: string },
    ];
    const objects = async (): Promise<number> => {
      let found = 0;
      for await (const _ of stage.bucket.objects()) found += 1;
      return found;
    };
    const before = await objects();
    await deleted();
    stage.clock.advance({ days: 29 });
    await stage.deleteDueOrganizations();
    expect(await rows('SELECT 1 FROM access.platform_token WHERE organization_id = $1', id)).toHaveLength(2);
    stage.clock.advance({ days: 1 });
    // The stage's engine may have done it first.
    await stage.deleteDueOrganizations();
    for (const table of [
      'identity.organization_membership',
      'identity.organization_deletion',
      'access.platform_token',
      'access.policy',
      'access.user_group',
      'access.share',
      'agents.agent',
    ])
      expect([table, await rows(`SELECT 1 FROM ${table} WHERE organization_id = $1`, id)]).toEqual([
        table,
        [],
      ]);
    const upkeep = { ...stage.identity, bucket: stage.bucket, settings: testStorage };
    await emptyTrash(upkeep);
    stage.clock.advance({ days: 31 });
    await removeGarbage(upkeep);
    await emptyTrash(upkeep);
    expect(await rows('SELECT 1 FROM storage.project WHERE organization_id = $1', id)).toEqual([]);
    expect(await objects()).toBe(before - 1);
    expect((await restore(await signedIn(owner))).status).toBe(404);
    const fresh = await signedIn();
    expect(
      (await sendForm(stage, '/platform', { name: 'Again', platform_key: org }, { cookie: fresh.cookie }))
        .status,
    ).toBe(303);
    expect(Object.keys(asked)).toHaveLength(7);
  });

  test('an organization that cannot be deleted does not block the others, and is retried', async () => {
    const [{ id }] = (await rows('SELECT id FROM identity.organization WHERE key = $1', org)) as [
      { id: string },
    ];
    const other = await signedIn();
    await deleted();
    const fields = { currentPassword: other.password };
    await sendForm(stage, `/platform/${other.organizationKey}/delete`, fields, { cookie: other.cookie });
    await rows(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF OLD.organization_id = '${id}' THEN RAISE 'refused'; END IF; RETURN OLD; END $$`);
    await rows(`CREATE TRIGGER refuse BEFORE DELETE ON identity.organization_membership
      FOR EACH ROW EXECUTE FUNCTION public.refuse()`);
    stage.clock.advance({ days: 30 });
    await expect(stage.deleteDueOrganizations()).rejects.toThrow('1 organizations were not deleted');
    const left = () => rows('SELECT organization_id AS id FROM identity.organization_deletion');
    expect(await left()).toEqual([{ id }]);
    await rows('DROP TRIGGER refuse ON identity.organization_membership');
    await stage.deleteDueOrganizations();
    expect(await left()).toEqual([]);
  });

  test('an owner can delete the account meanwhile, without a new owner for the organization', async () => {
    const member = await signedIn();
    await join(member, 'member');
    await deleted();
    const fields = { currentPassword: owner.password };
    const answer = await sendForm(stage, '/account/data/delete', fields, { cookie: owner.cookie });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('will be deleted')]);
  });
});

describe('401', () => {
  test('a wrong password is marked, and nothing is deleted', async () => {
    const { status, text } = await requestDeletion({ ...owner, password: 'not the password' });
    expect([status, text]).toEqual([401, expect.stringContaining('This password is wrong.')]);
    expect((await stage.get(`/dm/api/core/organizations/${org}`, owner.headers)).status).toBe(200);
  });
});

describe('403 and 404', () => {
  test('an admin neither sees the page nor deletes nor restores; a non-member gets 404', async () => {
    const [admin, stranger] = [await signedIn(), await signedIn()];
    await join(admin, 'admin');
    for (const [person, status] of [
      [admin, 403],
      [stranger, 404],
    ] as const) {
      expect((await openPage(stage, path(), person.cookie)).status).toBe(status);
      expect((await requestDeletion(person)).status).toBe(status);
    }
    expect((await openPage(stage, `/platform/${org}/settings`, admin.cookie)).text).not.toContain(path());
    expect((await openPage(stage, `/platform/${org}/settings`, owner.cookie)).text).toContain(path());
    await deleted();
    for (const person of [admin, stranger]) expect((await restore(person)).status).toBe(404);
    expect((await requestDeletion()).status).toBe(404);
    expect((await restore()).status).toBe(303);
    expect((await restore()).status).toBe(404);
  });
});

test('a concurrent switch to the organization leaves no account in it', async () => {
  const member = await signedIn();
  await join(member, 'member');
  await Promise.all([
    requestDeletion(),
    ...Array.from({ length: 5 }, () =>
      sendForm(stage, `/platform/${org}/switch`, {}, { cookie: member.cookie }),
    ),
  ]);
  const found = await rows(
    `SELECT 1 FROM identity.account JOIN identity.organization ON organization.id = account.organization_id WHERE key = $1`,
    org,
  );
  expect(found).toEqual([]);
});
