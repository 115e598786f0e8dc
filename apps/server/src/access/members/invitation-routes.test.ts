import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  admin = await acme.addMember('admin');
});
afterAll(() => stage.stop());

const path = '/dm/api/core/rbac/invitations/';
let invited = 0;
const invite = (who: TestMember, fields: Record<string, unknown> = {}, { key } = acme): Promise<Answer> => {
  invited += 1;
  const json = { platform_key: key, email: `guest-${invited}@example.net`, role: 'member', ...fields };
  return stage.send('POST', path, who.headers, json);
};
const list = (who: TestMember, query = '', { key } = acme): Promise<Answer> =>
  stage.send('GET', `${path}?platform_key=${key}${query}`, who.headers);
const cancel = (who: TestMember, id: unknown, { key } = acme): Promise<Answer> =>
  stage.send('DELETE', `${path}${String(id)}?platform_key=${key}`, who.headers);
const resend = (who: TestMember, id: unknown, { key } = acme): Promise<Answer> =>
  stage.send('POST', `${path}${String(id)}/resend?platform_key=${key}`, who.headers);
const emailsOf = (answer: Answer): unknown[] =>
  (answer.json()['data'] as { email: string }[]).map(({ email }) => email);
const unknownId = '018f0000-0000-7000-8000-000000000000';

describe('201, 200 and 204', () => {
  test('sends an invitation and lists it until it is cancelled', async () => {
    const sent = await invite(admin, { email: 'Ada@Example.net', role: 'viewer' });
    expect([sent.status, sent.headers['cache-control']]).toEqual([201, 'no-store']);
    const invitation = sent.json();
    expect(invitation).toEqual({
      id: expect.any(String),
      email: 'Ada@example.net',
      role: 'viewer',
      invited_by: admin.username,
      createdAt: '2026-11-15T00:00:00.000000Z',
      expiresAt: '2026-11-22T00:00:00.000Z',
    });
    expect((await list(acme.owner)).json()['data']).toEqual([invitation]);
    expect((await cancel(acme.owner, invitation['id'])).status).toBe(204);
    expect(emailsOf(await list(acme.owner))).toEqual([]);
    expectProblem(await cancel(acme.owner, invitation['id']), 404, 'not_found');
  });

  test('requests the mail in the same transaction', async () => {
    const { id } = (await invite(admin)).json();
    const [row] = await stage.database.asSuperuser(
      'SELECT kind, recipient FROM identity.mail_request WHERE subject_id = $1',
      [id],
    );
    expect(row).toEqual({ kind: 'join_organization', recipient: `guest-${invited}@example.net` });
  });

  test('invites a guest', async () => {
    const sent = await invite(admin, { role: 'guest' });
    expect([sent.status, sent.json()['role']]).toEqual([201, 'guest']);
    expect((await cancel(acme.owner, sent.json()['id'])).status).toBe(204);
  });

  test('replaces an earlier invitation to the same address', async () => {
    const organization = await stage.createOrganization();
    const { owner } = organization;
    const first = await invite(owner, { email: 'twice@example.net', role: 'admin' }, organization);
    const second = await invite(owner, { email: 'TWICE@example.net', role: 'viewer' }, organization);
    const data = (await list(owner, '', organization)).json()['data'];
    expect(data).toEqual([second.json()]);
    expectProblem(await cancel(owner, first.json()['id'], organization), 404, 'not_found');
  });

  test('resends an invitation in the name of the new sender, for another week, and ends the first', async () => {
    const organization = await stage.createOrganization();
    const second = await organization.addMember('admin');
    const email = 'again@example.net';
    const first = (await invite(organization.owner, { email, role: 'viewer' }, organization)).json();
    stage.clock.advance({ seconds: 60 });
    const again = await resend(second, first['id'], organization);
    expect([again.status, again.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(again.json()).toMatchObject({ email, role: 'viewer', invited_by: second.username });
    expect(again.json()['expiresAt']).not.toBe(first['expiresAt']);
    expect((await list(second, '', organization)).json()['data']).toEqual([again.json()]);
    expectProblem(await resend(second, first['id'], organization), 404, 'not_found');
  });

  test('does not list invitations older than a week', async () => {
    const organization = await stage.createOrganization();
    await invite(organization.owner, {}, organization);
    stage.clock.advance({ hours: 7 * 24 });
    const { access_token } = await stage.signIn(organization.owner);
    const owner = { ...organization.owner, headers: { authorization: `Bearer ${access_token}` } };
    expect(emailsOf(await list(owner, '', organization))).toEqual([]);
    admin = { ...admin, headers: await freshHeaders(admin) };
    acme = { ...acme, owner: { ...acme.owner, headers: await freshHeaders(acme.owner) } };
  });

  test('paginates with cursors', async () => {
    const organization = await stage.createOrganization();
    for (let one = 0; one < 5; one += 1) await invite(organization.owner, {}, organization);
    const all = emailsOf(await list(organization.owner, '', organization));
    expect(all).toHaveLength(5);
    const first = await list(organization.owner, '&limit=3', organization);
    const { nextCursor } = first.json()['pagination'] as { nextCursor: string };
    const rest = await list(organization.owner, `&limit=3&cursor=${nextCursor}`, organization);
    expect([...emailsOf(first), ...emailsOf(rest)]).toEqual(all);
  });
});

const freshHeaders = async (member: TestMember): Promise<TestMember['headers']> => ({
  authorization: `Bearer ${(await stage.signIn(member)).access_token}`,
});

describe('400', () => {
  test.each([
    [{ email: 'nobody' }],
    [{ email: '' }],
    [{ role: 'owner' }],
    [{ role: 'root' }],
    [{ role: undefined }],
    [{ name: 'x' }],
  ])('refuses %j as an invalid request', async (fields) => {
    expectProblem(await invite(admin, fields), 400, 'invalid_request');
  });

  test('refuses an invalid id, an unknown parameter and a cursor of another organization', async () => {
    expectProblem(await cancel(admin, 'x'), 400, 'invalid_request');
    expectProblem(await resend(admin, 'x'), 400, 'invalid_request');
    expectProblem(await list(admin, '&all=1'), 400, 'invalid_request');
    await invite(admin);
    const { nextCursor } = (await list(admin)).json()['pagination'] as { nextCursor: string };
    const other = await stage.createOrganization();
    expectProblem(await list(other.owner, `&cursor=${nextCursor}`, other), 400, 'invalid_cursor');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    const stranger = { ...admin, headers: {} };
    expectProblem(await list(stranger), 401, 'unauthenticated');
    expectProblem(await invite(stranger), 401, 'unauthenticated');
    expectProblem(await cancel(stranger, unknownId), 401, 'unauthenticated');
    expectProblem(await resend(stranger, unknownId), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses members and viewers who invite, or list or cancel invitations', async () => {
    const { id } = (await invite(admin)).json();
    for (const role of ['member', 'viewer'] as const) {
      const who = await acme.addMember(role);
      expectProblem(await invite(who, { role: 'viewer' }), 403, 'forbidden');
      expectProblem(await list(who), 403, 'forbidden');
      expectProblem(await cancel(who, id), 403, 'forbidden');
      expectProblem(await resend(who, id), 403, 'forbidden');
    }
  });

  test('refuses to invite to a role beyond the permissions of the sender', async () => {
    const organization = await stage.createOrganization();
    const { owner, key } = organization;
    const host = await organization.addMember('viewer');
    const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, {
      platform_key: key,
      name: 'inviting',
      actions: ['Daybook.Core/Members/create'],
      resources: [`/organizations/${key}/members`],
    });
    await stage.send('POST', '/dm/api/core/rbac/groups/', owner.headers, {
      platform_key: key,
      name: 'hosts',
      users_to_add: [host.username],
      policies_to_add: [policy.json()['id']],
    });
    stage.age();
    expect((await invite(host, { role: 'viewer' }, organization)).status).toBe(201);
    const refused = await invite(host, { role: 'admin' }, organization);
    expectProblem(refused, 403, 'permission_escalation');
    const { id } = (await invite(owner, { role: 'admin' }, organization)).json();
    expectProblem(await resend(host, id, organization), 403, 'permission_escalation');
  });
});

describe('404', () => {
  test('returns the same 404 to non-members, and for unknown and foreign invitations', async () => {
    const other = await stage.createOrganization();
    const { id } = (await invite(other.owner, {}, other)).json();
    expectProblem(await list(other.owner), 404, 'not_found');
    expectProblem(await invite(other.owner), 404, 'not_found');
    expectProblem(await cancel(admin, id), 404, 'not_found');
    expectProblem(await cancel(admin, unknownId), 404, 'not_found');
    expectProblem(await resend(admin, id), 404, 'not_found');
    expectProblem(await resend(admin, unknownId), 404, 'not_found');
    expectProblem(await resend(other.owner, id), 404, 'not_found');
    expect((await cancel(other.owner, id, other)).status).toBe(204);
  });
});

describe('409', () => {
  test('refuses more than 500 open invitations of an organization', async () => {
    const organization = await stage.createOrganization();
    await stage.database.asSuperuser(
      `INSERT INTO identity.invitation (id, organization_id, email, email_normalised, role, invited_by, created_at, expires_at)
       SELECT gen_random_uuid(), $1, n || '@x.example', n || '@x.example', 'viewer', $2, $3, $3::timestamptz + interval '1 day'
       FROM generate_series(1, 500) AS n`,
      [organization.id, organization.owner.id, new Date(stage.clock.nowMs()).toISOString()],
    );
    expectProblem(await invite(organization.owner, {}, organization), 409, 'conflict');
  });
});

describe('429', () => {
  test('limits an organization to a hundred invitations an hour', async () => {
    const organization = await stage.createOrganization();
    const second = await organization.addMember('admin');
    for (let sent = 0; sent < 100; sent += 1)
      expect((await invite(sent % 2 === 0 ? second : organization.owner, {}, organization)).status).toBe(201);
    expectProblem(await invite(second, {}, organization), 429, 'rate_limited');
    expect((await invite(admin)).status).toBe(201);
  });

  test('limits an address to five invitations an hour, and does not count refused senders', async () => {
    const member = await acme.addMember('member');
    for (let asked = 0; asked < 6; asked += 1) await invite(member, { email: 'busy@example.net' });
    for (let sent = 0; sent < 5; sent += 1)
      expect((await invite(admin, { email: 'busy@example.net' })).status).toBe(201);
    expectProblem(await invite(admin, { email: 'busy@example.net' }), 429, 'rate_limited');
    const open = (await list(admin)).json()['data'] as { id: string; email: string }[];
    const busy = open.find(({ email }) => email === 'busy@example.net');
    expectProblem(await resend(admin, busy?.id), 429, 'rate_limited');
  });
});
