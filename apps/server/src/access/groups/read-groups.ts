import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { bigintRowId } from '../../foundation/pagination/row-id.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { Caller } from '../credentials/caller.ts';
import { groupActions } from '../permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../policies/read-policies.ts';
import type { GroupContent } from './group-content-store.ts';
import { readGroupContent } from './group-content-store.ts';
import type { GroupRecord } from './group-store.ts';
import { findGroups, selectGroups } from './group-store.ts';

export interface GroupDetail extends GroupRecord, GroupContent {}

export async function listGroups<Shown>(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string; readonly query?: string },
  present: (group: GroupRecord) => Shown,
): Promise<Page<Shown>> {
  const actor = await authorizeOrganization(deps, caller, query.platform_key);
  const { organization } = actor;
  requirePermission(actor, groupActions.read, resourceOf(organization.key, 'groups'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: bigintRowId,
    route: 'listGroups',
    tenant: organization.id,
    filters: query.query === undefined ? null : { query: query.query },
  });
  const found = await selectGroups(deps.database, organization.id, request, query.query);
  return presentPage(
    request,
    found.map((group) => ({ id: BigInt(group.id), createdAt: group.createdAt, group })),
    ({ group }) => present(group),
  );
}

export async function readGroup(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, id }: { readonly platformKey: string; readonly id: number },
): Promise<GroupDetail> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { organization } = actor;
  const resource = resourceOf(organization.key, 'groups', String(id));
  requirePermissionOn(actor, groupActions.read, resource, groupActions.read);
  const [group] = await findGroups(deps.database, organization.id, [id]);
  if (group === undefined) throw notFoundOrHidden();
  return { ...group, ...(await readGroupContent(deps.database, organization.id, id)) };
}

/** Those of the numbers that there are, for whoever may list them. */
export async function readGroups(
  deps: ReadDeps,
  caller: Caller,
  { platformKey, ids }: { readonly platformKey: string; readonly ids: readonly number[] },
): Promise<readonly GroupRecord[]> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, groupActions.read, resourceOf(key, 'groups'));
  return findGroups(deps.database, id, ids);
}
