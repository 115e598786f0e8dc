import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { callerOfAccount } from '../credentials/caller.ts';
import { defineAction } from '../permissions/action.ts';
import type { Authority } from '../permissions/authority.ts';
import { allows } from '../permissions/authority.ts';
import { resourceOf } from '../permissions/resource.ts';

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

test('compiles an authority once per change', async () => {
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

test('keeps the authorities of other organizations when one changes', async () => {
  const other = await stage.createOrganization();
  const caller = callerOfAccount(other.owner, '');
  const before = await stage.access.authorities.actorIn(caller, other.key);
  await createPolicy('two');
  stage.age();
  expect((await stage.access.authorities.actorIn(caller, other.key))?.authority).toBe(before?.authority);
});

test('ignores a stored policy that the current rules refuse, and applies the others', async () => {
  const organization = await stage.createOrganization();
  const reader = await organization.addMember('viewer');
  const send = async (path: string, json: Record<string, unknown>): Promise<unknown> =>
    (
      await stage.send('POST', `/dm/api/core/rbac/${path}/`, organization.owner.headers, {
        platform_key: organization.key,
        ...json,
      })
    ).json()['id'];
  const path = `/organizations/${organization.key}/projects`;
  const policies = [];
  for (const name of ['old', 'new'])
    policies.push(
      await send('policies', { name, actions: ['Daybook.Storage/Files/*'], resources: [`${path}/${name}`] }),
    );
  await send('groups', { name: 'all', policies_to_add: policies, users_to_add: [reader.username] });
  await stage.database.asSuperuser(
    'UPDATE access.policy SET resources = $1 WHERE organization_id = $2 AND id = $3',
    [[`${path}/../**`], organization.id, policies[0]],
  );
  stage.age();
  const actor = await stage.access.authorities.actorIn(callerOfAccount(reader, ''), organization.key);
  const update = defineAction('Daybook.Storage/Files/update');
  const may = (...names: string[]): boolean =>
    allows(actor!.authority, update, resourceOf(organization.key, ...names));
  expect([may('projects', 'new'), may('projects', 'old'), may('projects', '..', 'x')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('reads a role that was changed directly in the database, without a new version', async () => {
  const before = await authority();
  await stage.database.asSuperuser(
    `UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1 AND organization_id = $2`,
    [member.id, acme.id],
  );
  expect(await authority()).toBe(before);
  stage.age();
  expect(await authority()).not.toBe(before);
});
