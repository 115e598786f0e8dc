import { defineAuditKind } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict, invalidField } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { organizations } from '../../identity/index.ts';
import type { accounts } from '../../identity/index.ts';
import { nextNumber } from '../authorities/authority-store.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { readRelationChange } from '../changes/relation-change.ts';
import { requireWithin } from '../changes/require-within.ts';
import type { Organization } from '../credentials/caller.ts';
import { groupActions } from '../permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import { requirePolicies } from '../policies/require-policies.ts';
import { readSharesOfGroups } from '../shares/share-store.ts';
import { changeGroupPolicies, changeGroupUsers, readGroupContent } from './group-content-store.ts';
import type { GroupRecord } from './group-store.ts';
import { countGroups, deleteGroup, findGroups, insertGroup, updateGroup } from './group-store.ts';
import type { GroupDetail } from './read-groups.ts';

export const groupCreated = defineAuditKind(
  'group_created',
  (word) => `You created the group “${word('name')}”.`,
);
export const groupUpdated = defineAuditKind('group_updated', 'You changed a group.');
export const groupDeleted = defineAuditKind('group_deleted', 'You deleted a group.');

export interface GroupRelations {
  readonly users_to_add?: readonly string[] | undefined;
  readonly users_to_remove?: readonly string[] | undefined;
  readonly policies_to_add?: readonly number[] | undefined;
  readonly policies_to_remove?: readonly number[] | undefined;
}

const groupsMax = 1_000;
const groupUsersMax = 1_000;
const groupPoliciesMax = 1_000;

export async function createGroup(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly name: string; readonly relations: GroupRelations },
): Promise<GroupDetail> {
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor, now } = change;
    const { id: organizationId, key } = actor.organization;
    requirePermission(actor, groupActions.create, resourceOf(key, 'groups'));
    if ((await countGroups(transaction, organizationId)) >= groupsMax)
      throw new ProblemError(conflict, `an organization has at most ${groupsMax} groups`);
    const id = await nextNumber(transaction, organizationId, 'groups');
    const { name } = request;
    const group = { id, name, createdAt: now, updatedAt: now };
    await insertGroup(transaction, organizationId, group).catch(raiseTakenName);
    const result = await relate(change, group, request.relations);
    return { result, event: { kind: groupCreated, detail: { groupId: id, name } } };
  });
}

/** Whoever gains by the change gains nothing that its maker does not hold. */
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
    const { organization } = actor;
    const resource = resourceOf(organization.key, 'groups', String(id));
    requirePermissionOn(actor, groupActions.update, resource, groupActions.read);
    const [before] = await findGroups(transaction, organization.id, [id]);
    if (before === undefined) throw notFoundOrHidden();
    const group = { ...before, name: request.name ?? before.name, updatedAt: now };
    await updateGroup(transaction, organization.id, group).catch(raiseTakenName);
    const result = await relate(change, group, request.relations);
    return { result, event: { kind: groupUpdated, detail: { groupId: id } } };
  });
}

export async function removeGroup(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly id: number },
): Promise<void> {
  const { id } = request;
  return changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { organization } = actor;
    const resource = resourceOf(organization.key, 'groups', String(id));
    requirePermissionOn(actor, groupActions.delete, resource, groupActions.read);
    const removed = await deleteGroup(transaction, organization.id, id).catch(raiseInUse);
    if (!removed) throw notFoundOrHidden();
    return { result: undefined, event: { kind: groupDeleted, detail: { groupId: id } } };
  });
}

/** Policies that are added must be the editor's to give; to users who are added, all that the group then gives. */
async function relate(
  { transaction, actor }: Change,
  group: GroupRecord,
  relations: GroupRelations,
): Promise<GroupDetail> {
  const { organization } = actor;
  const users = readRelationChange('users', relations.users_to_add, relations.users_to_remove);
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
  const after = await readGroupContent(transaction, organization.id, group.id);
  if (after.users.length > groupUsersMax || after.policies.length > groupPoliciesMax)
    throw new ProblemError(
      conflict,
      `a group has at most ${groupUsersMax} users and ${groupPoliciesMax} policies`,
    );
  return { ...group, ...after };
}

async function requireMembers(
  database: Database,
  { id }: Organization,
  usernames: readonly string[],
  field: string,
): Promise<readonly accounts.AccountId[]> {
  const members = await organizations.findMembers(database, id, usernames);
  const missing = usernames.find((username) => !members.some((member) => member.username === username));
  if (missing !== undefined) throw invalidField(field, 'names someone who is not a member of this platform');
  return members.map((member) => member.id);
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'user_group_organization_id_name_key') throw error;
  throw new ProblemError(conflict, 'the organization has a group of this name', { cause: error });
}

function raiseInUse(error: unknown): never {
  if (violatedConstraint(error)?.endsWith('_group_id_fkey') !== true) throw error;
  throw new ProblemError(conflict, 'the group has users or is attached to a token; remove them first', {
    cause: error,
  });
}
