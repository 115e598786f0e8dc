import type { Database } from '../../foundation/database/database.ts';
import { conflict, invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { memberships } from '../../identity/index.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { readRelationChange } from '../changes/relation-change.ts';
import { requireWithin } from '../changes/require-within.ts';
import { groupActions } from '../core-permissions/core-actions.ts';
import type { Organization } from '../credentials/caller.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import { addPolicy, policyCreatedEvent } from '../policies/change-policy.ts';
import { requirePolicies } from '../policies/require-policies.ts';
import { readSharesOfGroups } from '../shares/share-store.ts';
import {
  changeGroupPolicies,
  changeGroupUsers,
  readGroupContent,
  setMembershipEnd,
} from './group-content-store.ts';
import type { GroupDetail } from './group-resource.ts';
import { groupCreated, groupResource, groupUpdated } from './group-resource.ts';
import type { GroupRecord } from './group-store.ts';
import { insertGroup, updateGroup } from './group-store.ts';

export interface GroupRelations {
  readonly users_to_add?: readonly string[] | undefined;
  readonly users_to_remove?: readonly string[] | undefined;
  readonly temporary_users_to_add?:
    | readonly { readonly username: string; readonly ends_at: string }[]
    | undefined;
  readonly policies_to_add?: readonly number[] | undefined;
  readonly policies_to_remove?: readonly number[] | undefined;
}

const groupUsersMax = 1_000;
const groupPoliciesMax = 1_000;

export async function createGroup(
  deps: ChangeDeps,
  request: ChangeRequest & {
    readonly name: string;
    readonly relations: GroupRelations;
    /** Becomes a policy with the name of the group. */
    readonly newPolicy?: WrittenPolicy;
  },
): Promise<GroupDetail> {
  const { newPolicy, name, relations } = request;
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor } = change;
    const { id: organizationId, key } = actor.organization;
    requirePermission(actor, groupActions.create, resourceOf(key, 'groups'));
    const group = await groupResource.add(change, name, (named) =>
      insertGroup(transaction, organizationId, named),
    );
    const added = newPolicy === undefined ? [] : [await addPolicy(change, { name, ...newPolicy })];
    const policies_to_add = [...(relations.policies_to_add ?? []), ...added.map(({ id }) => id)];
    const result = await relate(change, group, { ...relations, policies_to_add });
    return {
      result,
      event: { kind: groupCreated, detail: { groupId: group.id, name: group.name } },
      furtherEvents: added.map(policyCreatedEvent),
    };
  });
}

/** The change grants only permissions that the caller has. */
export async function changeGroup(
  deps: ChangeDeps,
  request: ChangeRequest & {
    readonly id: number;
    readonly name?: string | undefined;
    readonly relations: GroupRelations;
  },
): Promise<GroupDetail> {
  const { id } = request;
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor, now } = change;
    const before = await groupResource.requireChangeable(change, id);
    const group = { ...before, name: request.name ?? before.name, updatedAt: now };
    await updateGroup(transaction, actor.organization.id, group).catch(groupResource.raiseTakenName);
    const result = await relate(change, group, request.relations);
    return { result, event: { kind: groupUpdated, detail: { groupId: id } } };
  });
}

/** The editor must have all added policies; for added users, all that the group then grants. */
async function relate(
  { transaction, actor, now }: Change,
  group: GroupRecord,
  relations: GroupRelations,
): Promise<GroupDetail> {
  const { organization } = actor;
  const temporary = readTemporaryUsers(relations.temporary_users_to_add ?? [], now);
  const users = readRelationChange(
    'users',
    [...(relations.users_to_add ?? []), ...temporary.keys()],
    relations.users_to_remove,
  );
  const policies = readRelationChange('policies', relations.policies_to_add, relations.policies_to_remove);
  await requirePolicies(transaction, organization, policies.remove, 'policies_to_remove');
  const given = await requirePolicies(transaction, organization, policies.add, 'policies_to_add');
  requireWithin(actor, given, 'policies_to_add');
  const memberChange = {
    add: await requireMembers(transaction, organization, users.add, 'users_to_add'),
    remove: await requireMembers(transaction, organization, users.remove, 'users_to_remove'),
  };
  await changeGroupPolicies(transaction, organization.id, group.id, policies);
  const content = await readGroupContent(transaction, organization.id, group.id);
  if (users.add.length > 0) {
    const shared = await readSharesOfGroups(transaction, organization.id, [group.id]);
    const gained = [
      ...(await requirePolicies(transaction, organization, content.policies, 'policies')),
      ...storedPolicies(shared, organization),
    ];
    requireWithin(actor, gained, 'users_to_add');
  }
  await changeGroupUsers(transaction, organization.id, group.id, memberChange);
  for (const [at, username] of users.add.entries())
    await setMembershipEnd(transaction, organization.id, group.id, {
      accountIds: memberChange.add.slice(at, at + 1),
      endsAt: temporary.get(username) ?? null,
    });
  const after = await readGroupContent(transaction, organization.id, group.id);
  if (after.users.length > groupUsersMax || after.policies.length > groupPoliciesMax)
    throw new ProblemError(
      conflict,
      `A group can have at most ${groupUsersMax} users and ${groupPoliciesMax} policies.`,
    );
  return { ...group, ...after };
}

/** A user who is added with and without an end is temporary. */
function readTemporaryUsers(
  given: NonNullable<GroupRelations['temporary_users_to_add']>,
  now: EpochMicroseconds,
): ReadonlyMap<string, EpochMicroseconds> {
  return new Map(
    given.map(({ username, ends_at }, at) => {
      const endsAt = parseIsoDatetime(ends_at);
      if (!endsAt.ok || endsAt.value <= now)
        throw invalidField(`temporary_users_to_add.${at}.ends_at`, 'must be a time in the future');
      return [username, endsAt.value];
    }),
  );
}

/** In the order of the usernames. */
async function requireMembers(
  database: Database,
  { id }: Organization,
  usernames: readonly string[],
  field: string,
): Promise<readonly accounts.AccountId[]> {
  const members = await memberships.findMembers(database, id, usernames);
  const missing = usernames.find((username) => !members.some((member) => member.username === username));
  if (missing !== undefined)
    throw invalidField(field, 'contains a user who is not a member of the organization');
  return usernames.flatMap((username) => members.find((member) => member.username === username)?.id ?? []);
}
