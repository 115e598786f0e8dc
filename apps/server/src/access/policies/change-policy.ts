import { defineAuditKind } from '../../audit/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict, invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { nextNumber } from '../authorities/authority-store.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeEvent, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireWithin } from '../changes/require-within.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import { policyActions } from '../permissions/core-actions.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { parsePolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { PolicyRecord } from './policy-store.ts';
import {
  countPolicies,
  deletePolicy,
  findPolicy,
  insertPolicy,
  isPolicyInUse,
  updatePolicy,
} from './policy-store.ts';

export const policyCreated = defineAuditKind(
  'policy_created',
  (word) => `You created the policy “${word('name')}”.`,
);
export const policyUpdated = defineAuditKind('policy_updated', 'You changed a policy.');
export const policyDeleted = defineAuditKind('policy_deleted', 'You deleted a policy.');

export interface PolicyText extends WrittenPolicy {
  readonly name: string;
}

const policiesMax = 10_000;

/** What it says need not be its maker's to do: it gives nothing to anyone until it is attached. */
export async function createPolicy(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly policy: PolicyText },
): Promise<PolicyRecord> {
  return changeOrganization(deps, request, async (change) => {
    const policy = await addPolicy(change, request.policy);
    return { result: policy, event: policyCreatedEvent(policy) };
  });
}

/** As part of a change; with a token, it is made for that token and goes with it. */
export async function addPolicy(
  { transaction, actor, now }: Change,
  { name, actions, resources }: PolicyText,
  madeForToken: PlatformTokenId | null = null,
): Promise<PolicyRecord> {
  const { id: organizationId, key } = actor.organization;
  requirePermission(actor, policyActions.create, resourceOf(key, 'policies'));
  requireReadable({ actions, resources }, key);
  if ((await countPolicies(transaction, organizationId)) >= policiesMax)
    throw new ProblemError(conflict, `an organization has at most ${policiesMax} policies`);
  const id = await nextNumber(transaction, organizationId, 'policies');
  const policy = { id, name, actions, resources, createdAt: now, updatedAt: now };
  await insertPolicy(transaction, organizationId, policy, madeForToken).catch(raiseTakenName);
  return policy;
}

export function policyCreatedEvent({ id, name }: PolicyRecord): ChangeEvent {
  return { kind: policyCreated, detail: { policyId: id, name } };
}

export function policyDeletedEvent(id: number): ChangeEvent {
  return { kind: policyDeleted, detail: { policyId: id } };
}

/** Where it is attached to anything, all that it will say must be within what its editor may do. */
export async function changePolicy(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly id: number; readonly change: Partial<PolicyText> },
): Promise<PolicyRecord> {
  const { id, change } = request;
  return changeOrganization(deps, request, async ({ transaction, actor, now }) => {
    const { organization } = actor;
    const resource = resourceOf(organization.key, 'policies', String(id));
    requirePermissionOn(actor, policyActions.update, resource, policyActions.read);
    const before = await findPolicy(transaction, organization.id, id);
    if (before === null) throw notFoundOrHidden();
    const policy = { ...before, ...definedOf(change), updatedAt: now };
    requireReadable(policy, organization.key);
    const says = change.actions !== undefined || change.resources !== undefined;
    if (says && (await isPolicyInUse(transaction, organization.id, id)))
      requireWithin(actor, storedPolicies([policy], organization), 'actions');
    await updatePolicy(transaction, organization.id, policy).catch(raiseTakenName);
    return { result: policy, event: { kind: policyUpdated, detail: { policyId: id } } };
  });
}

export async function removePolicy(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly id: number },
): Promise<void> {
  const { id } = request;
  return changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { organization } = actor;
    const resource = resourceOf(organization.key, 'policies', String(id));
    requirePermissionOn(actor, policyActions.delete, resource, policyActions.read);
    const removed = await deletePolicy(transaction, organization.id, id).catch(raiseInUse);
    if (!removed) throw notFoundOrHidden();
    return { result: undefined, event: policyDeletedEvent(id) };
  });
}

function definedOf(change: Partial<PolicyText>): Partial<PolicyText> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function requireReadable(policy: WrittenPolicy, organizationKey: string): void {
  const parsed = parsePolicy(policy, organizationKey);
  if (parsed.ok) return;
  const [first] = parsed.faults;
  throw new ProblemError(invalidRequest, `${first?.name ?? ''} ${first?.message ?? ''}`, {
    errors: parsed.faults.map(({ name, message }) => ({ in: 'body', name, message })),
  });
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'policy_organization_id_name_key') throw error;
  throw new ProblemError(conflict, 'the organization has a policy of this name', { cause: error });
}

function raiseInUse(error: unknown): never {
  if (violatedConstraint(error)?.endsWith('_policy_id_fkey') !== true) throw error;
  throw new ProblemError(conflict, 'the policy is attached to a group or token; detach it first', {
    cause: error,
  });
}
