import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { organizations } from '../../identity/index.ts';
import type { Caller } from '../callers/caller.ts';
import { enterOrganization } from '../callers/enter-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import { memberActions } from '../permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../policies/read-policies.ts';

export async function listMembers<Shown>(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string },
  present: (member: organizations.Member) => Shown,
): Promise<Page<Shown>> {
  const actor = await enterOrganization(deps, caller, query.platform_key);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.read, resourceOf(key, 'members'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'account'>(),
    route: 'listMembers',
    tenant: id,
    filters: null,
  });
  return presentPage(request, await organizations.listMembers(deps.database, id, request), present);
}
