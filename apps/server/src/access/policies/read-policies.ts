import type { Database } from '../../foundation/database/database.ts';
import type { CursorKeys } from '../../foundation/pagination/cursor-keys.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { bigintRowId } from '../../foundation/pagination/row-id.ts';
import type { AuthorizeDeps } from '../callers/authorize-organization.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { Caller } from '../credentials/caller.ts';
import { policyActions } from '../permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { PolicyRecord } from './policy-store.ts';
import { findPolicies, findPolicy, selectPolicies } from './policy-store.ts';

export interface ReadDeps extends AuthorizeDeps {
  readonly database: Database;
  readonly cursorKeys: CursorKeys;
}

export async function listPolicies<Shown>(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string; readonly query?: string },
  present: (policy: PolicyRecord) => Shown,
): Promise<Page<Shown>> {
  const actor = await authorizeOrganization(deps, caller, query.platform_key);
  const { organization } = actor;
  requirePermission(actor, policyActions.read, resourceOf(organization.key, 'policies'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: bigintRowId,
    route: 'listPolicies',
    tenant: organization.id,
    filters: query.query === undefined ? null : { query: query.query },
  });
  const found = await selectPolicies(deps.database, organization.id, request, query.query);
  return presentPage(
    request,
    found.map((policy) => ({ id: BigInt(policy.id), createdAt: policy.createdAt, policy })),
    ({ policy }) => present(policy),
  );
}

export async function readPolicy(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, id }: { readonly platformKey: string; readonly id: number },
): Promise<PolicyRecord> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { organization } = actor;
  const resource = resourceOf(organization.key, 'policies', String(id));
  requirePermissionOn(actor, policyActions.read, resource, policyActions.read);
  const policy = await findPolicy(deps.database, organization.id, id);
  if (policy === null) throw notFoundOrHidden();
  return policy;
}

/** Those of the numbers that there are, for whoever may list them. */
export async function readPolicies(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, ids }: { readonly platformKey: string; readonly ids: readonly number[] },
): Promise<readonly PolicyRecord[]> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, policyActions.read, resourceOf(key, 'policies'));
  return findPolicies(deps.database, id, ids);
}
