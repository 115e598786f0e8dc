import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { AccountId, Role } from '../../identity/accounts/account.ts';
import { insertSignUp } from '../../identity/accounts/sign-up-store.ts';
import type { SignUp } from '../../identity/accounts/sign-up-store.ts';
import type { ConfirmedSignUp } from '../../identity/accounts/sign-up.ts';
import { confirmSignUp } from '../../identity/accounts/sign-up.ts';
import { createMailedToken } from '../../identity/mail/mailed-token-store.ts';
import { acceptInvitation } from '../../identity/organizations/accept-invitation.ts';

let stage: TestAccess;
beforeAll(async () => {
  stage = await startTestAccess();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'test' };
let named = 0;

interface Sent {
  readonly id: string;
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
  return { id, token: await createMailedToken(database, 'join_organization', id, clock.now()) };
}

/** Somebody who has signed up with the invitation and holds the link that confirms it. */
async function newcomer(invitation: Sent): Promise<() => Promise<ConfirmedSignUp>> {
  named += 1;
  const { database, clock, ids } = stage.identity;
  const email = `new-${named}@example.net`;
  const signUp = {
    id: ids.next<'sign-up'>(),
    username: `new-${named}`,
    email: { written: email, normalised: email },
    name: `New ${named}`,
    passwordHash: 'x',
    invitationId: invitation.id,
  } as SignUp;
  await insertSignUp(database, signUp, clock.now());
  const token = await createMailedToken(database, 'confirm_sign_up', signUp.id, clock.now());
  return () => confirmSignUp(stage.identity, { token, client });
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

/** Neither way in works; whoever signs up has an account and an organization of their own. */
async function expectVoid(organization: TestOrganization, invitation: Sent): Promise<void> {
  const before = await rolesIn(organization);
  await expect(join(invitation)).rejects.toThrow(/invalid_link/);
  const confirm = await newcomer(invitation);
  expect((await confirm()).invitation).toBe('void');
  expect(await rolesIn(organization)).toEqual(before);
}

describe('an invitation admits once', () => {
  test('of six who signed up with it and confirm at the same moment, one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const organization = await stage.createOrganization();
      const invitation = await invite(organization.owner, organization);
      const confirmations = [];
      for (let one = 0; one < 6; one += 1) confirmations.push(await newcomer(invitation));
      const confirmed = await Promise.all(confirmations.map((confirm) => confirm()));
      expect(confirmed.map((one) => one.invitation).sort()).toEqual([
        'accepted',
        'void',
        'void',
        'void',
        'void',
        'void',
      ]);
      expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
    }
  });

  test('of six accounts that follow its link at the same moment, one', async () => {
    const organization = await stage.createOrganization();
    const invitation = await invite(organization.owner, organization);
    const guests = [];
    for (let one = 0; one < 6; one += 1) guests.push(await stage.createAccount());
    const joined = await Promise.allSettled(guests.map(({ id }) => join(invitation, id)));
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
    await expectVoid(organization, invitation);
  });

  test('not a member, who leaves it for whom it was meant', async () => {
    const organization = await stage.createOrganization();
    const invitation = await invite(organization.owner, organization);
    await expect(join(invitation, organization.owner.id)).rejects.toThrow(/conflict/);
    expect(await rolesIn(organization)).toEqual(['owner']);
    await join(invitation);
    expect(await rolesIn(organization)).toEqual(['admin', 'owner']);
  });

  test('and is noted with who joined, as what, at whose invitation and in what order', async () => {
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

describe('an invitation gives only what its sender may still give', () => {
  test('nothing after the sender was demoted, and again what it said after they were restored', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const invitation = await invite(admin, organization);
    await setRole(organization.owner, organization, admin.username, 'viewer');
    await expectVoid(organization, invitation);
    await setRole(organization.owner, organization, admin.username, 'admin');
    await join(invitation);
    expect(await rolesIn(organization)).toEqual(['admin', 'admin', 'owner']);
  });

  test('an admin who was demoted does not come back through whom they invited', async () => {
    const organization = await stage.createOrganization();
    const admin = await organization.addMember('admin');
    const accomplice = await stage.createAccount();
    const invitation = await invite(admin, organization);
    await setRole(organization.owner, organization, admin.username, 'member');
    await expect(join(invitation, accomplice.id)).rejects.toThrow(/invalid_link/);
    expect(await rolesIn(organization)).toEqual(['member', 'owner']);
  });

  test('nothing after the sender has left, also if they come back', async () => {
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

  test('nothing where the sender vanished behind our back', async () => {
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

  test('nothing after it was cancelled or replaced, or after a week', async () => {
    const organization = await stage.createOrganization();
    const { owner, key } = organization;
    const cancelled = await invite(owner, organization);
    const path = `/dm/api/core/rbac/invitations/${cancelled.id}?platform_key=${key}`;
    expect((await stage.send('DELETE', path, owner.headers)).status).toBe(204);
    await expectVoid(organization, cancelled);
    const late = await invite(owner, organization);
    const confirm = await newcomer(late);
    stage.clock.advance({ hours: 7 * 24 });
    await expect(join(late)).rejects.toThrow(/invalid_link/);
    await expect(confirm()).rejects.toThrow(/invalid_link/);
  });

  test('what a token sent, as long as the token is there and may still give it', async () => {
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

  test('a demotion and an acceptance at the same moment: whichever is first, the second sees it', async () => {
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
