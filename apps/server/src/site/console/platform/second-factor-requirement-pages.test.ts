import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { turnOnSecondFactor } from '../../../../test/authenticator.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask, expectProblem } from '../../../../test/http-client.ts';
import { members } from '../../../access/index.ts';
import { startNotificationListener } from '../../../foundation/database/notification-listener.ts';
import { operatorCommands, watchCredentials } from '../../../identity/index.ts';

let stage: TestAccess;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true });
});
afterAll(() => stage.stop());

let acme: TestOrganization;
let ownerCookie: string;
/** Null while the owner has no one-time codes. */
let ownerCode: (() => string) | null;
beforeEach(async () => {
  acme = await stage.createOrganization();
  ownerCode = null;
  ownerCookie = await signInForCookie(stage, acme.owner);
});

const code = 'organization_second_factor_required';
const rows = (text: string, ...values: unknown[]) => stage.database.asSuperuser(text, values);

async function addPasskey({ id }: Pick<TestMember, 'id'>): Promise<string> {
  const passkeyId = stage.identity.ids.next<'passkey'>();
  await rows(
    `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
     VALUES ($1, $2, $3, $4, 0, 'device', now())`,
    passkeyId,
    id,
    randomBytes(16),
    randomBytes(16),
  );
  return passkeyId;
}

/** A passkey instead of the password. */
async function protect(member: Pick<TestMember, 'id'>): Promise<void> {
  await addPasskey(member);
  await rows('UPDATE identity.account SET password_hash = NULL WHERE id = $1', member.id);
}

async function protectOwner(): Promise<void> {
  const { authenticator } = await turnOnSecondFactor(stage, acme.owner, ownerCookie);
  ownerCode = () => {
    stage.clock.advance({ minutes: 1 });
    return authenticator(stage.clock.nowMs());
  };
}

const path = (name: string): string => `/platform/${acme.key}/${name}`;
const confirm = (name: string, { password } = acme.owner, cookie = ownerCookie): Promise<Answer> => {
  const code = cookie === ownerCookie ? ownerCode?.() : undefined;
  const fields = { currentPassword: password, ...(code !== undefined && { one_time_code: code }) };
  return sendForm(stage, path(name), fields, { cookie });
};

async function required(): Promise<void> {
  await protectOwner();
  expect((await confirm('require-second-factor')).status).toBe(303);
  stage.age();
}

async function auditOf(kind: string): Promise<readonly unknown[]> {
  const found = await rows(
    'SELECT detail FROM audit.event WHERE organization_id = $1 AND kind = $2',
    acme.id,
    kind,
  );
  return found.map(({ detail }) => detail);
}

const createToken = async ({ username, headers }: TestMember, fields: object) => {
  const base = { username, name: randomUUID(), platform_key: acme.key, created: '2026-11-15T00:00:00Z' };
  const made = await stage.send('POST', '/dm/api/core/platform/api-tokens/', headers, {
    ...base,
    expires: '',
    ...fields,
  });
  return { authorization: `Api-Token ${String(made.json()['key'])}` };
};

/** Every kind of credential of a member. */
async function actorsOf(member: TestMember): Promise<Readonly<Record<string, () => Promise<Answer>>>> {
  const made = await stage.send('POST', '/api/v1/api-keys', member.headers, { name: 'k' });
  const key = { 'x-api-key': String(made.json()['key']) };
  const token = await createToken(member, { mode: 'owner' });
  const cookie = await signInForCookie(stage, member);
  const members = `/dm/api/core/rbac/members/?platform_key=${acme.key}`;
  const projects = `/api/v1/projects?organization=${acme.key}`;
  return {
    'an access token on the platform': () => stage.get(members, member.headers),
    'an access token on storage': () => stage.get(projects, member.headers),
    'an API key': () => stage.get(projects, key),
    'a token in owner mode': () => stage.get(members, token),
    'a change': () =>
      stage.send('POST', '/api/v1/projects', member.headers, { name: randomUUID(), organization: acme.key }),
    'switching to it': () =>
      stage.send('POST', `/dm/api/core/organizations/${acme.key}/switch`, member.headers),
    'a page': () => openPage(stage, path('members'), cookie),
    'the first page': () => openPage(stage, `/platform/${acme.key}`, cookie),
  };
}

const statusesOf = async (asked: Awaited<ReturnType<typeof actorsOf>>): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const [name, request] of Object.entries(asked)) found[name] = (await request()).status;
  return found;
};
const allOf = (asked: object, status: number): Record<string, number> =>
  Object.fromEntries(Object.keys(asked).map((name) => [name, status]));

describe('303', () => {
  test('an owner with a second factor requires one, members without are refused in every way, and it is audited', async () => {
    const member = await acme.addMember('admin');
    const asked = await actorsOf(member);
    const allowed = await statusesOf(asked);
    expect(Object.values(allowed).every((status) => status < 400)).toBe(true);
    await required();
    expect(await statusesOf(asked)).toEqual(allOf(asked, 403));
    expectProblem(await asked['an API key']!(), 403, code);
    expect((await asked['an access token on the platform']!()).json()['detail']).toContain(
      '/account/second-factor',
    );
    expect(await auditOf('organization_second_factor_required')).toEqual([
      expect.objectContaining({ membersWithout: 1 }),
    ]);
  });

  test('a refused member reaches their own account, and regains access with a second factor', async () => {
    const member = await acme.addMember('member');
    const asked = await actorsOf(member);
    const before = await statusesOf(asked);
    await required();
    const cookie = await signInForCookie(stage, member);
    for (const own of ['/account', '/account/second-factor', '/account/passkeys', '/platform'])
      expect((await openPage(stage, own, cookie)).status).toBe(200);
    expect((await stage.get('/api/v1/me', member.headers)).status).toBe(200);
    const refused = await openPage(stage, path('members'), cookie);
    expect(refused.text).toContain('href="/account/passkeys"');
    expect(refused.text).toContain('href="/account/second-factor"');
    await turnOnSecondFactor(stage, member, cookie);
    expect(await statusesOf(asked)).toEqual(before);
  });

  test('an owner turns it off again, and members without a second factor regain access', async () => {
    const member = await acme.addMember('member');
    const asked = await actorsOf(member);
    const before = await statusesOf(asked);
    await required();
    expect((await confirm('stop-requiring-second-factor')).status).toBe(303);
    expect(await statusesOf(asked)).toEqual(before);
    expect(await auditOf('organization_second_factor_not_required')).toHaveLength(1);
  });

  test('tokens with their own permissions stay valid', async () => {
    const member = await acme.addMember('admin');
    const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', member.headers, {
      platform_key: acme.key,
      name: 'reading',
      actions: ['Daybook.Core/Organization/read'],
      resources: [`/organizations/${acme.key}`],
    });
    const token = await createToken(member, {
      mode: 'token_policies',
      policies_to_add: [policy.json()['id']],
    });
    await required();
    expect((await stage.get(`/dm/api/core/organizations/${acme.key}`, token)).status).toBe(200);
  });

  test('open invitations from members without a second factor are cancelled, those from others stay', async () => {
    const [without, withOne] = [await acme.addMember('admin'), await acme.addMember('admin')];
    await protect(withOne);
    for (const { headers, username } of [without, withOne])
      await stage.send('POST', '/dm/api/core/rbac/invitations/', headers, {
        platform_key: acme.key,
        email: `${username}-${randomUUID()}@example.org`,
        role: 'member',
      });
    await required();
    const open = await stage.get(
      `/dm/api/core/rbac/invitations/?platform_key=${acme.key}`,
      acme.owner.headers,
    );
    const senders = (open.json()['data'] as { email: string }[]).map(({ email }) => email);
    expect(senders).toEqual([expect.stringContaining(withOne.username)]);
  });
});

describe('other credentials stay valid', () => {
  test('members see that a token in owner mode does nothing while its creator has no second factor', async () => {
    const [without, admin] = [await acme.addMember('member'), await acme.addMember('admin')];
    const cookie = await signInForCookie(stage, admin);
    await protect(admin);
    await createToken(without, { mode: 'owner', name: 'of-member' });
    await required();
    const page = await openPage(stage, path('tokens/of-member'), cookie);
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringMatching(/This token can[^]*?<p>No actions\.</),
    ]);
  });

  test("a person joins by another member's invitation, without the shares of a member without a second factor", async () => {
    const [without, admin] = [await acme.addMember('admin'), await acme.addMember('admin')];
    await protect(admin);
    const guest = await stage.createAccount();
    const project = await stage.send('POST', '/api/v1/projects', without.headers, {
      name: 'Notes',
      organization: acme.key,
    });
    const shared = `/api/v1/projects/${String(project.json()['id'])}/shares`;
    const share = { level: 'read', email: guest.email };
    // The first of them sends the invitation.
    expect((await stage.send('POST', shared, admin.headers, share)).status).toBe(201);
    await rows('UPDATE access.share SET created_by = $1 WHERE organization_id = $2', without.id, acme.id);
    await required();
    const [invitation] = await rows('SELECT id FROM identity.invitation WHERE organization_id = $1', acme.id);
    const { database, ids, clock } = stage.identity;
    await database.transaction().execute(async (transaction) => {
      const request = {
        invitationId: String(invitation?.['id']),
        client: { address: '', userAgent: '' },
        now: clock.now(),
      };
      const opened = await members.openInvitation(transaction, { ids }, request);
      expect(await opened?.admit(guest.id)).toBe(true);
    });
    expect(await rows('SELECT id FROM access.share WHERE organization_id = $1', acme.id)).toEqual([]);
  });
});

describe('403', () => {
  test('a passkey counts once the password is turned off: until then the password alone would sign in', async () => {
    const member = await acme.addMember('member');
    await addPasskey(member);
    await required();
    const members = `/dm/api/core/rbac/members/?platform_key=${acme.key}`;
    expectProblem(await stage.get(members, member.headers), 403, code);
    await rows('UPDATE identity.account SET password_hash = NULL WHERE id = $1', member.id);
    expect((await stage.get(members, member.headers)).status).toBe(200);
  });

  test('a member who removes their last second factor is refused by every notified process, before its cache ends', async () => {
    const member = await acme.addMember('member');
    await turnOnSecondFactor(stage, member, await signInForCookie(stage, member));
    await required();
    const members = `/dm/api/core/rbac/members/?platform_key=${acme.key}`;
    const notice = Promise.withResolvers<void>();
    const listening = Promise.withResolvers<void>();
    const notifications = startNotificationListener({ url: stage.database.urls.application });
    watchCredentials(notifications, (id) => {
      stage.access.forget(id);
      if (id === null) listening.resolve();
      if (id === member.id) notice.resolve();
    });
    try {
      await listening.promise;
      expect((await stage.get(members, member.headers)).status).toBe(200);
      expect(await operatorCommands.turnOffSecondFactorByOperator(stage.identity, member.email)).toBe(true);
      await notice.promise;
      expectProblem(await stage.get(members, member.headers), 403, code);
    } finally {
      await notifications.stop();
    }
  });

  test('members without a second factor stay out of reach of members with fewer permissions', async () => {
    const [owner, admin] = [await acme.addMember('owner'), await acme.addMember('admin')];
    await protect(admin);
    const { authorization } = await createToken(owner, { mode: 'owner', name: 'of-owner' });
    await required();
    const token = `/dm/api/core/platform/api-tokens/of-owner?platform_key=${acme.key}`;
    expectProblem(await stage.send('DELETE', token, admin.headers), 403, 'forbidden');
    expectProblem(await stage.get(`/dm/api/core/organizations/${acme.key}`, { authorization }), 403, code);
  });

  test('an owner without a second factor neither deletes nor restores the organization', async () => {
    const second = await acme.addMember('owner');
    const cookie = await signInForCookie(stage, second);
    await required();
    expect((await confirm('delete', second, cookie)).status).toBe(403);
    expect((await confirm('delete')).status).toBe(200);
    expect((await sendForm(stage, path('restore'), {}, { cookie })).status).toBe(403);
    expect((await sendForm(stage, path('restore'), {}, { cookie: ownerCookie })).status).toBe(303);
  });

  test('admins and wrong passwords change nothing', async () => {
    await protectOwner();
    const admin = await acme.addMember('admin');
    const cookie = await signInForCookie(stage, admin);
    await protect(admin);
    expect((await openPage(stage, path('require-second-factor'), cookie)).status).toBe(403);
    expect((await confirm('require-second-factor', admin, cookie)).status).toBe(403);
    const wrong = await confirm('require-second-factor', { ...acme.owner, password: 'not the password' });
    expect([wrong.status, wrong.text]).toEqual([
      401,
      expect.stringContaining('Require two-factor authentication?'),
    ]);
    expect(await auditOf('organization_second_factor_required')).toEqual([]);
  });
});

describe('404', () => {
  test('a stranger gets 404, as does a person with a link of a member without a second factor', async () => {
    const member = await acme.addMember('member');
    const project = await stage.send('POST', '/api/v1/projects', member.headers, {
      name: 'Notes',
      organization: acme.key,
    });
    const stored = await ask(
      stage.app.port,
      `/api/v1/projects/${String(project.json()['id'])}/files?name=a.txt`,
      {
        method: 'POST',
        body: 'content',
        headers: { ...member.headers, 'content-type': 'application/octet-stream' },
      },
    );
    const made = await stage.send(
      'POST',
      `/api/v1/files/${String(stored.json()['id'])}/links`,
      member.headers,
      {},
    );
    const link = new URL(String(made.json()['url'])).pathname;
    expect((await stage.get(link)).status).toBe(200);
    await required();
    expectProblem(await stage.get(link), 404, 'not_found');
    const { owner: stranger } = await stage.createOrganization();
    const members = `/dm/api/core/rbac/members/?platform_key=${acme.key}`;
    expectProblem(await stage.get(members, stranger.headers), 404, 'not_found');
  });
});

describe('409', () => {
  test('an owner without a second factor must set one up first', async () => {
    const shown = await openPage(stage, path('require-second-factor'), ownerCookie);
    expect(shown.text).toContain('Your own account has no second factor');
    expect((await confirm('require-second-factor')).status).toBe(409);
    expect(await auditOf('organization_second_factor_required')).toEqual([]);
  });
});

describe('200', () => {
  test('the page says how many members have no second factor', async () => {
    await protectOwner();
    for (const role of ['member', 'viewer'] as const) await acme.addMember(role);
    const shown = await openPage(stage, path('require-second-factor'), ownerCookie);
    expect(shown.text).toContain('2 members have no second factor');
  });

  test('members who may change roles see who has a second factor, others do not', async () => {
    const [admin, viewer] = [await acme.addMember('admin'), await acme.addMember('viewer')];
    const cookies = new Map<TestMember, string>();
    for (const member of [admin, viewer]) cookies.set(member, await signInForCookie(stage, member));
    await protect(viewer);
    const listed = async ({ headers }: TestMember) => {
      const answer = await stage.get(`/dm/api/core/rbac/members/?platform_key=${acme.key}`, headers);
      const data = answer.json()['data'] as { username: string; hasSecondFactor?: boolean }[];
      return Object.fromEntries(data.map(({ username, hasSecondFactor }) => [username, hasSecondFactor]));
    };
    expect(await listed(admin)).toEqual({
      [acme.owner.username]: false,
      [admin.username]: false,
      [viewer.username]: true,
    });
    expect(new Set(Object.values(await listed(viewer)))).toEqual(new Set([undefined]));
    const page = async (member: TestMember): Promise<string> =>
      (await openPage(stage, path('members'), cookies.get(member))).text;
    expect(await page(admin)).toContain('data-column="Second factor"');
    expect(await page(viewer)).not.toContain('Second factor');
  });
});
