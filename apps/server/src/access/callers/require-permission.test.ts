import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { callers, permissions } from '../index.ts';

const { allows, defineAction, resourceOf } = permissions;
const [read, write] = [
  defineAction('Daybook.Agents/Agents/read'),
  defineAction('Daybook.Core/Policies/update'),
];

let stage: TestAccess;
let acme: TestOrganization;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
});
afterAll(() => stage.stop());

const actorOf = (who: TestMember, key = acme.key): Promise<callers.OrganizationActor> => {
  const caller: callers.Caller = callers.callerOfAccount(who, '');
  return callers.authorizeOrganization(stage.access, caller, key);
};
const acting = async (who: TestMember, username: string): Promise<string> =>
  (await callers.requireActingFor(stage.access, await actorOf(who), username)).id;

test('lets everyone act for themselves, admins for every member, and members for no other', async () => {
  const [admin, member] = [await acme.addMember('admin'), await acme.addMember('member')];
  expect(await acting(member, member.username)).toBe(member.id);
  expect(await acting(admin, member.username)).toBe(member.id);
  await expect(acting(member, admin.username)).rejects.toThrow(/forbidden/);
});

test('refuses to act for a non-member, and does not reveal to members whether the account exists', async () => {
  const [admin, member] = [await acme.addMember('admin'), await acme.addMember('member')];
  const stranger = await stage.createAccount();
  await expect(acting(admin, stranger.username)).rejects.toThrow(/not_found/);
  await expect(acting(admin, 'nobody')).rejects.toThrow(/not_found/);
  await expect(acting(member, 'nobody')).rejects.toThrow(/forbidden/);
});

test('returns 403 for a missing permission, and 404 for a resource that the caller may not read', async () => {
  const actor = await actorOf(await acme.addMember('viewer'));
  const { key }: callers.Organization = actor.organization;
  const [agent, policy] = [resourceOf(key, 'agents', 'a'), resourceOf(key, 'policies', '1')];
  expect(allows(actor.authority, read, agent)).toBe(true);
  expect(() => callers.requirePermission(actor, read, agent)).not.toThrow();
  expect(() => callers.requirePermission(actor, write, policy)).toThrow(/forbidden/);
  expect(() => callers.requirePermissionOn(actor, write, policy, read)).toThrow(/forbidden/);
  expect(() => callers.requirePermissionOn(actor, write, policy, write)).toThrow(
    callers.notFoundOrHidden().message,
  );
});

test('returns the same 404 to non-members as for an unknown organization', async () => {
  const other = await stage.createOrganization();
  await expect(actorOf(other.owner)).rejects.toThrow(callers.notFoundOrHidden().message);
  await expect(actorOf(acme.owner, 'nobody-has-this')).rejects.toThrow(callers.notFoundOrHidden().message);
});
