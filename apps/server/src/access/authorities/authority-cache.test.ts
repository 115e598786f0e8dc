import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { callerOfAccount } from '../callers/caller.ts';
import type { Authority } from '../permissions/authority.ts';

let stage: TestAccess;
let acme: TestOrganization;
let member: TestMember;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  member = await acme.addMember('member');
});
afterAll(() => stage.stop());

const authority = async (): Promise<Authority> => {
  const actor = await stage.access.authorities.actorIn(callerOfAccount(member, ''), acme.key);
  return actor!.authority;
};
const createPolicy = (name: string): Promise<unknown> =>
  stage.send('POST', '/dm/api/core/rbac/policies/', acme.owner.headers, {
    platform_key: acme.key,
    name,
    actions: ['Daybook.Storage/Files/read'],
    resources: [`/organizations/${acme.key}/**`],
  });

test('an authority is compiled once per change, however often it is asked for', async () => {
  const first = await authority();
  stage.age();
  expect(await authority()).toBe(first);
  await createPolicy('one');
  stage.age();
  const second = await authority();
  expect(second).not.toBe(first);
  stage.age();
  expect(await authority()).toBe(second);
});

test('a change in one organization leaves the authorities of others alone', async () => {
  const other = await stage.createOrganization();
  const caller = callerOfAccount(other.owner, '');
  const before = await stage.access.authorities.actorIn(caller, other.key);
  await createPolicy('two');
  stage.age();
  expect((await stage.access.authorities.actorIn(caller, other.key))?.authority).toBe(before?.authority);
});

test('a role that changed behind our back is noticed with the next look, though no version rose', async () => {
  const before = await authority();
  await stage.database.asSuperuser(
    `UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1 AND organization_id = $2`,
    [member.id, acme.id],
  );
  expect(await authority()).toBe(before);
  stage.age();
  expect(await authority()).not.toBe(before);
});
