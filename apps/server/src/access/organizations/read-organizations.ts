import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { accounts } from '../../identity/index.ts';
import { memberships, organizations } from '../../identity/index.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import { organizationActions } from '../core-permissions/core-actions.ts';
import type { Caller } from '../credentials/caller.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import { requirePerson } from './change-organizations.ts';

export async function listOwnOrganizations<Shown>(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery,
  present: (organization: memberships.OwnOrganization) => Shown,
): Promise<Page<Shown>> {
  requirePerson(caller);
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'organization'>(),
    route: 'listOrganizations',
    tenant: caller.accountId,
    filters: null,
  });
  const found = await memberships.listOwnOrganizations(deps.database, caller.accountId, request);
  return presentPage(request, found, present);
}

export async function readOrganization(
  deps: ReadDeps,
  caller: Caller,
  platformKey: string,
): Promise<{ readonly id: accounts.OrganizationId; readonly key: string; readonly name: string }> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, organizationActions.read, resourceOf(key));
  const found = await organizations.findOrganization(deps.database, id);
  if (found === null) throw notFoundOrHidden();
  return { id, key, name: found.name };
}
