import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeEvent, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireWithin } from '../changes/require-within.ts';
import { policyActions } from '../core-permissions/core-actions.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { parsePolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import { policyCreated, policyResource, policyUpdated } from './policy-resource.ts';
import type { PolicyRecord } from './policy-store.ts';
import { insertPolicy, isPolicyInUse, updatePolicy } from './policy-store.ts';

export interface PolicyText extends WrittenPolicy {
  readonly name: string;
}

/** May exceed the creator's permissions: it grants nothing until it is attached. */
export async function createPolicy(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly policy: PolicyText },
): Promise<PolicyRecord> {
  return changeOrganization(deps, request, async (change) => {
    const policy = await addPolicy(change, request.policy);
    return { result: policy, event: policyCreatedEvent(policy) };
  });
}

/** As part of a change; with a token, it is created for that token and deleted with it. */
export async function addPolicy(
  change: Change,
  { name, actions, resources }: PolicyText,
  madeForToken: PlatformTokenId | null = null,
): Promise<PolicyRecord> {
  const { transaction, actor } = change;
  const { id: organizationId, key } = actor.organization;
  requirePermission(actor, policyActions.create, resourceOf(key, 'policies'));
  requireReadable({ actions, resources }, key);
  return policyResource.add(change, name, (named) =>
    insertPolicy(transaction, organizationId, { ...named, actions, resources }, madeForToken),
  );
}

export function policyCreatedEvent({ id, name }: PolicyRecord): ChangeEvent {
  return { kind: policyCreated, detail: { policyId: id, name } };
}

/** If it is attached, everything in it must be within the editor's authority. */
export async function changePolicy(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly id: number; readonly change: Partial<PolicyText> },
): Promise<PolicyRecord> {
  const { id, change: text } = request;
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor, now } = change;
    const { organization } = actor;
    const before = await policyResource.requireChangeable(change, id);
    const policy = { ...before, ...definedOf(text), updatedAt: now };
    requireReadable(policy, organization.key);
    const says = text.actions !== undefined || text.resources !== undefined;
    if (says && (await isPolicyInUse(transaction, organization.id, id)))
      requireWithin(actor, storedPolicies([policy], organization), 'actions');
    await updatePolicy(transaction, organization.id, policy).catch(policyResource.raiseTakenName);
    return { result: policy, event: { kind: policyUpdated, detail: { policyId: id } } };
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
