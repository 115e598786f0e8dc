import type { Database } from '../../foundation/database/database.ts';
import { conflict, invalidField } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { readTokenPolicies } from '../authorities/authority-store.ts';
import { readAuthorityBasis, storedPolicies } from '../authorities/work-out-authority.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { Change } from '../changes/change-organization.ts';
import type { RelationChange } from '../changes/relation-change.ts';
import { isRelationChanged, readRelationChange } from '../changes/relation-change.ts';
import { requireWithin } from '../changes/require-within.ts';
import type { ApiTokenField } from '../core-permissions/api-token-privilege.ts';
import { apiTokenFieldAction, apiTokenFields } from '../core-permissions/api-token-privilege.ts';
import type { OrganizationActor, Organization } from '../credentials/caller.ts';
import { callerOfAccount } from '../credentials/caller.ts';
import type { PlatformToken, TokenMode } from '../credentials/platform-token.ts';
import { readPoliciesOfGroups } from '../groups/group-content-store.ts';
import { findGroups } from '../groups/group-store.ts';
import type { Resource } from '../permissions/resource.ts';
import { requirePolicies } from '../policies/require-policies.ts';
import { readSharesOfGroups } from '../shares/share-store.ts';
import { changeTokenAttachments, readTokenAttachments } from './token-attachment-store.ts';
import type { TokenAttachments } from './token-attachment-store.ts';

/** The fields that determine the permissions of a token. Empty lists are equivalent to absent ones. */
export interface TokenFields {
  readonly mode?: TokenMode | undefined;
  readonly policies_to_add?: readonly number[] | undefined;
  readonly policies_to_remove?: readonly number[] | undefined;
  readonly groups_to_add?: readonly number[] | undefined;
  readonly groups_to_remove?: readonly number[] | undefined;
}

export interface TokenDetail extends PlatformToken, TokenAttachments {}

const attachmentsMax = 100;

/** Each written field needs its own permission, beside the one to create or update. */
export function requireFieldPermissions(
  actor: OrganizationActor,
  fields: TokenFields,
  resource: Resource,
): void {
  for (const field of writtenFields(fields)) requirePermission(actor, apiTokenFieldAction(field), resource);
}

function writtenFields(fields: TokenFields): readonly ApiTokenField[] {
  return apiTokenFields.filter((field) => {
    const value = fields[field];
    return value !== undefined && value.length > 0;
  });
}

/**
 * Attaches and detaches, and checks everything that the token gains against the caller: additions and, for a change
 * of mode, everything that the new mode allows.
 */
export async function applyTokenChange(
  change: Change,
  token: PlatformToken,
  fields: TokenFields,
  modeBefore: TokenMode | null,
): Promise<TokenDetail> {
  const { transaction, actor } = change;
  const policies = readRelationChange('policies', fields.policies_to_add, fields.policies_to_remove);
  const groups = readRelationChange('groups', fields.groups_to_add, fields.groups_to_remove);
  if (token.mode === 'owner' && (isRelationChanged(policies) || isRelationChanged(groups))) {
    const sent = writtenFields(fields).find((field) => field !== 'mode');
    throw invalidField(sent ?? 'mode', 'can be sent only where mode is token_policies');
  }
  await attachPolicies(change, token, policies);
  await attachGroups(change, token, groups);
  if (token.mode !== modeBefore) {
    const opened =
      token.mode === 'owner'
        ? await creatorAuthority(transaction, token, actor.organization)
        : await ownPolicies(transaction, token, actor.organization);
    requireWithin(actor, opened, 'mode');
  }
  const attachments = await readTokenAttachments(transaction, token);
  if (attachments.policies.length > attachmentsMax || attachments.groups.length > attachmentsMax)
    throw new ProblemError(conflict, `A token can have at most ${attachmentsMax} policies and groups.`);
  return { ...token, ...attachments };
}

async function attachPolicies(
  { transaction, actor }: Change,
  token: PlatformToken,
  change: RelationChange<number>,
): Promise<void> {
  const { organization } = actor;
  await requirePolicies(transaction, organization, change.remove, 'policies_to_remove');
  const given = await requirePolicies(transaction, organization, change.add, 'policies_to_add');
  requireWithin(actor, given, 'policies_to_add');
  await changeTokenAttachments(transaction, token, 'policy', change);
}

async function attachGroups(
  { transaction, actor }: Change,
  token: PlatformToken,
  change: RelationChange<number>,
): Promise<void> {
  const { organization } = actor;
  await requireGroups(transaction, organization, change.remove, 'groups_to_remove');
  await requireGroups(transaction, organization, change.add, 'groups_to_add');
  const reached = await readPoliciesOfGroups(transaction, organization.id, change.add);
  const shared = await readSharesOfGroups(transaction, organization.id, change.add);
  const given = [
    ...(await requirePolicies(transaction, organization, reached, 'groups_to_add')),
    ...storedPolicies(shared, organization),
  ];
  requireWithin(actor, given, 'groups_to_add');
  await changeTokenAttachments(transaction, token, 'group', change);
}

/** A number of another organization is treated as unknown. */
async function requireGroups(
  database: Database,
  { id }: Organization,
  ids: readonly number[],
  field: string,
): Promise<void> {
  const found = await findGroups(database, id, ids);
  const missing = ids.find((one) => !found.some((group) => group.id === one));
  if (missing !== undefined)
    throw invalidField(field, `contains group ${missing}, which does not exist in the organization`);
}

async function creatorAuthority(database: Database, { creator }: PlatformToken, { id }: Organization) {
  // The token's permissions once its creator has a second factor must be within the editor's authority.
  const basis = await readAuthorityBasis(database, callerOfAccount(creator, ''), { id }, 'ignore');
  return basis === null ? [] : basis.compile();
}

async function ownPolicies(database: Database, { id }: PlatformToken, organization: Organization) {
  return storedPolicies(await readTokenPolicies(database, organization.id, id), organization);
}
