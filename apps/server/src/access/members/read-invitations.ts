import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { invitations } from '../../identity/index.ts';
import { authorizeOrganization } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { ChangeDeps } from '../changes/change-organization.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import type { Caller } from '../credentials/caller.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';

/** The open invitations. Addresses of non-members are visible only to members who may invite. */
export async function listInvitations<Shown>(
  deps: ReadDeps & Pick<ChangeDeps, 'clock'>,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string },
  present: (invitation: invitations.Invitation) => Shown,
): Promise<Page<Shown>> {
  const actor = await authorizeOrganization(deps, caller, query.platform_key);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'invitation'>(),
    route: 'listInvitations',
    tenant: id,
    filters: null,
  });
  const found = await invitations.listOpenInvitations(deps.database, id, deps.clock.now(), request);
  return presentPage(request, found, present);
}
