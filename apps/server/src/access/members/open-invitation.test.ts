import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { AccountId, Role } from '../../identity/accounts/account.ts';
import { acceptInvitation } from '../../identity/invitations/accept-invitation.ts';
import { createMailedToken } from '../../identity/mail/mailed-token-store.ts';
import { signUpByInvitation } from '../../identity/registration/sign-up-by-invitation.ts';

let stage: TestAccess;
beforeAll(async () => {
  stage = await startTestAccess();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'test' };
let named = 0;

interface Sent {
  readonly id: string;
  readonly email: string;
  /** The secret of its link. */
  readonly token: string;
}

async function invite(
  { headers }: Pick<TestMember, 'headers'>,
  { key }: TestOrganization,
  role = 'admin',
): Promise<Sent> {
  named += 1;
  const json = { platform_key: key, email: `guest-${named}@example.net`, role };
  const answer = await stage.send('POST', '/dm/api/core/rbac/invitations/', headers, json);
  if (answer.status !== 201) throw new Error(answer.text);
  const id = String(answer.json()['id']);
  const { database, clock } = stage.identity;
  const token = await createMailedToken(database, 'join_organization', id, clock.now());
  return { id, email: json.email, token };
}

/** A person without an account who follows the link. */
function signUp({ token }: Sent): Promise<AccountId> {
  named += 1;
  const request = { token, username: `new-${named}`, password: 'a long password', client };
  return signUpByInvitation(stage.identity, request);
}

const join = async ({ token }: Sent, accountId?: AccountId): Promise<unknown> =>
  acceptInvitation(stage.identity, {
    token,
    accountId: accountId ?? (await stage.createAccount()).id,
    client,
  });

const setRole = async (by: TestMember, { key }: TestOrganization, username: string, role: Role) => {
  const path = `/dm/api/core/rbac/members/${username}?platform_key=${key}`;
  const answer = await stage.send('PATCH', path, by.headers, { role });
  expect(answer.status).toBe(200);
};

async function rolesIn({ id }: TestOrganization): Promise<readonly unknown[]> {
  const rows = await stage.database.asSuperuser(
    'SELECT role FROM identity.organization_membership WHERE organization_id = $1 ORDER BY role',
    [id],
  );
  return rows.map(({ role }) => role);
}

async function openIn({ id }: TestOrganization): Promise<readonly unknown[]> {
  const rows = await stage.database.asSuperuser(
    `SELECT id FROM identity.invitation
     WHERE organization_id = $1 AND accepted_at IS NULL AND cancelled_at IS NULL ORDER BY id`,
    [id],
  );
  return rows.map((row) => row['id']);
}

/** Refused for an account and for a new sign-up. */
async function expectVoid(organization: TestOrganization, invitation: Sent): Promise<void> {
  const before = await rolesIn(organization);
  await expect(join(invitation)).rejects.toThrow(/invalid_link/);
  await expect(signUp(invitation)).rejects.toThrow(/invalid_link/);
  expect(await rolesIn(organization)).toEqual(before);
}

describe('an invitation admits once', () => {
  test('with one of six concurrent sign-ups; the others create no account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const organization = await stage.createOrganization();
      const invitation = await invite(organization.owner, organization);
      const signUps = await Promise.allSettled(Array.from({ length: 6 }, () => signUp(invitation)));
      const [first, ...others] = signUps.toSorted((one, two) => one.status.localeCompare(two.status));
      expect(others.map((one) => String(one.status === 'rejected' && one.reason))).toEqual(
        Array.from({ length: 5 }, () => expect.stringContaining('invalid_link')),
      );
      const accountId = first?.status === 'fulfilled' ? first.value : null;
      const rows = await stage.database.asSuperuser(
        `SELECT account.id, account.email, account.organization_id, (SELECT count(*)::int FROM identity.organization_membership
         WHERE account_id = account.id) AS memberships
         FROM identity.account JOIN identity.invitation USING (email) WHERE invitation.id = $1`,
        [invitation.id],
      );
      expect(rows).toEqual([
        { id: accountId, email: invitation.email, organization_id: organization.id, memberships: 1 },
      ]);
      expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
    }
  });

  test('with one of six concurrent accounts', async () => {
    const organization = await stage.createOrganization();
    const invitation = await invite(organization.owner, organization);
    const guests = [];
    for (let one = 0; one < 6; one += 1) guests.push(await stage.createAccount());
    const joined = await Promise.allSettled(guests.map(({ id }) => join(invitation, id)));
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
    await expectVoid(organization, invitation);
  });

  test('and is not used by a member, so that its recipient can use it', async () => {
    const organization = await stage.createOrganization();
    const invitation = await invite(organization.owner, organization);
    await expect(join(invitation, organization.owner.id)).rejects.toThrow(/conflict/);
    expect(await rolesIn(organization)).toEqual(['owner']);
    await join(invitation);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
  });

  test('and records who joined, in what role, on whose invitation and in what order', async () => {
    const organization = await stage.createOrganization();
    const invitation = await invite(organization.owner, organization);
    const guest = await stage.createAccount();
    await join(invitation, guest.id);
    const [event] = await stage.database.asSuperuser(
      `SELECT account_id, detail FROM audit.event WHERE organization_id = $1 ORDER BY id DESC LIMIT 1`,
      [organization.id],
    );
    expect(event).toEqual({
      account_id: guest.id,
      detail: {
        invitationId: invitation.id,
        role: 'admin',
        senderId: organization.owner.id,
        version: expect.any(Number),
      },
    });
  });
});

describe('an invitation grants only what its sender may still grant', () => {
  test('and is void after the sender was demoted, also when they are promoted again', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const invitation = await invite(admin, organization);
    await setRole(organization.owner, organization, admin.username, 'viewer');
    await expectVoid(organization, invitation);
    expect(await openIn(organization)).toEqual([]);
    await setRole(organization.owner, organization, admin.username, 'admin');
    await expectVoid(organization, invitation);
  });

  test('and a demotion ends only the invitations that the sender may no longer grant', async () => {
    const organization = await stage.createOrganization();
    const [admin, other] = [await organization.addMember('admin'), await organization.addMember('admin')];
    const kept = await invite(other, organization);
    await invite(admin, organization);
    await invite(admin, organization, 'viewer');
    await setRole(organization.owner, organization, admin.username, 'member');
    expect(await openIn(organization)).toEqual([kept.id]);
    const [event] = await stage.database.asSuperuser(
      `SELECT detail FROM audit.event WHERE organization_id = $1 AND kind = 'member_role_changed'`,
      [organization.id],
    );
    expect(event).toMatchObject({ detail: { to: 'member', invitationsEnded: 2 } });
  });

  test('and ends when the group, policy or token that allowed it loses the permission', async () => {
    const organization = await stage.createOrganization();
    const { owner, key } = organization;
    const rbac = '/dm/api/core/rbac';
    const send = async (method: string, path: string, json: object): Promise<unknown> => {
      const answer = await stage.send(method, path, owner.headers, json);
      expect([path, answer.status]).toEqual([path, method === 'POST' ? 201 : 200]);
      return answer.json()['id'];
    };
    const host = await organization.addMember('viewer');
    const text = { actions: ['Daybook.Core/Members/create'], resources: [`/organizations/${key}/members`] };
    const policy = await send('POST', `${rbac}/policies/`, { platform_key: key, name: 'inviting', ...text });
    const group = await send('POST', `${rbac}/groups/`, {
      platform_key: key,
      name: 'hosts',
      users_to_add: [host.username],
      policies_to_add: [policy],
    });
    stage.age();
    const losses: readonly [string, object, object][] = [
      [
        `${rbac}/groups/${String(group)}`,
        { users_to_remove: [host.username] },
        { users_to_add: [host.username] },
      ],
      [`${rbac}/groups/${String(group)}`, { policies_to_remove: [policy] }, { policies_to_add: [policy] }],
      [`${rbac}/policies/${String(policy)}`, { ...text, actions: ['Daybook.Core/Members/read'] }, text],
    ];
    for (const [path, loss, restored] of losses) {
      const invitation = await invite(host, organization, 'viewer');
      await send('PATCH', `${path}?platform_key=${key}`, loss);
      expect(await openIn(organization)).toEqual([]);
      await send('PATCH', `${path}?platform_key=${key}`, restored);
      await expect(join(invitation)).rejects.toThrow(/invalid_link/);
      stage.age();
    }
  });

  test('and does not readmit a demoted admin through an invited member', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const accomplice = await stage.createAccount();
    const invitation = await invite(admin, organization);
    await setRole(organization.owner, organization, admin.username, 'member');
    await expect(join(invitation, accomplice.id)).rejects.toThrow(/invalid_link/);
    expect(await rolesIn(organization)).toEqual(['member', 'owner']);
  });

  test('and is void after the sender has left, also if they return', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const invitation = await invite(admin, organization);
    const path = `/dm/api/core/rbac/members/${admin.username}?platform_key=${organization.key}`;
    expect((await stage.send('DELETE', path, organization.owner.headers)).status).toBe(204);
    await expectVoid(organization, invitation);
    await join(await invite(organization.owner, organization), admin.id);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
    await expectVoid(organization, invitation);
  });

  test('and is void if the membership of the sender was deleted directly', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const invitation = await invite(admin, organization);
    await stage.database.asSuperuser(
      'DELETE FROM identity.organization_membership WHERE organization_id = $1 AND account_id = $2',
      [organization.id, admin.id],
    );
    expect(await rolesIn(organization)).toEqual(['owner']);
    await expectVoid(organization, invitation);
  });

  test('and is void after it was cancelled or replaced, or after a week', async () => {
    const organization = await stage.createOrganization();
    const { owner, key } = organization;
    const cancelled = await invite(owner, organization);
    const path = `/dm/api/core/rbac/invitations/${cancelled.id}?platform_key=${key}`;
    expect((await stage.send('DELETE', path, owner.headers)).status).toBe(204);
    await expectVoid(organization, cancelled);
    const late = await invite(owner, organization);
    stage.clock.advance({ hours: 7 * 24 });
    await expectVoid(organization, late);
  });

  test('and is valid for a token while the token exists and may still grant it', async () => {
    const organization = await stage.createOrganization();
    const { owner, key } = organization;
    const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, {
      platform_key: key,
      name: 'everything inside',
      actions: ['Daybook.*/*/*', 'Daybook.Core/ApiTokens/*/write'],
      resources: [`/organizations/${key}`, `/organizations/${key}/**`],
    });
    const tokens = '/dm/api/core/platform/api-tokens/';
    const createToken = async (name: string): Promise<{ headers: TestMember['headers'] }> => {
      const answer = await stage.send('POST', tokens, owner.headers, {
        username: owner.username,
        name,
        platform_key: key,
        created: '2026-11-15T00:00:00Z',
        expires: '',
        mode: 'token_policies',
        policies_to_add: [policy.json()['id']],
      });
      return { headers: { authorization: `Api-Token ${String(answer.json()['key'])}` } };
    };
    const [kept, deleted, weakened] = [
      await invite(await createToken('kept'), organization),
      await invite(await createToken('deleted'), organization),
      await invite(await createToken('weakened'), organization),
    ];
    await stage.send('DELETE', `${tokens}deleted?platform_key=${key}`, owner.headers);
    await stage.send('PATCH', `${tokens}weakened?platform_key=${key}`, owner.headers, {
      policies_to_remove: [policy.json()['id']],
    });
    await expectVoid(organization, deleted);
    await expectVoid(organization, weakened);
    await join(kept);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
  });

  test('and a concurrent demotion and acceptance see each other', async () => {
    for (let round = 0; round < 6; round += 1) {
      const organization = await stage.createOrganization();
      const admin = await organization.addMember('admin');
      const guest = await stage.createAccount();
      const invitation = await invite(admin, organization);
      const [joined] = await Promise.allSettled([
        join(invitation, guest.id),
        setRole(organization.owner, organization, admin.username, 'viewer'),
      ]);
      const order = await stage.database.asSuperuser(
        `SELECT kind FROM audit.event WHERE organization_id = $1 AND kind IN ('account_joined_organization', 'member_role_changed')
         ORDER BY (detail->>'version')::int`,
        [organization.id],
      );
      const kinds = order.map(({ kind }) => kind);
      const first = joined.status === 'fulfilled' ? ['account_joined_organization'] : [];
      expect(kinds).toEqual([...first, 'member_role_changed']);
    }
  });
});
