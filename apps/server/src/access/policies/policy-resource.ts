import { defineAuditKind } from '../../audit/index.ts';
import { policyActions } from '../core-permissions/core-actions.ts';
import type { Caller } from '../credentials/caller.ts';
import { NamedResource } from '../named-resources/named-resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import type { PolicyRecord } from './policy-store.ts';
import { policyStore } from './policy-store.ts';

export const policyCreated = defineAuditKind(
  'policy_created',
  (word) => `You created the policy “${word('name')}”.`,
);
export const policyUpdated = defineAuditKind('policy_updated', 'You changed a policy.');
export const policyDeleted = defineAuditKind('policy_deleted', 'You deleted a policy.');

export const policyResource = new NamedResource({
  noun: 'policy',
  collection: 'policies',
  actions: policyActions,
  store: policyStore,
  countMax: 10_000,
  listRoute: 'listPolicies',
  deleted: policyDeleted,
  inUse: 'The policy is attached to a group or token. Detach it first.',
});

export const {
  list: listPolicies,
  readMany: readPolicies,
  remove: removePolicy,
  deletedEvent: policyDeletedEvent,
} = policyResource;

export async function readPolicy(
  deps: ReadDeps,
  caller: Caller,
  asked: { readonly platformKey: string; readonly id: number },
): Promise<PolicyRecord> {
  return (await policyResource.read(deps, caller, asked)).found;
}
