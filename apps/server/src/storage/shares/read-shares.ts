import { callers, shares } from '../../access/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import type { NamedThing } from './enter-shared.ts';
import { enterShared } from './enter-shared.ts';
import { resourceOfThing } from './shared-thing.ts';

type ListRequest = StorageRequest & { readonly page: PageQuery };

/** With whom one thing is shared itself; what lies above it may be shared with more. */
export async function listShares<Shown>(
  deps: StorageDeps,
  request: ListRequest & { readonly thing: NamedThing },
  present: (share: shares.Share) => Shown,
): Promise<Page<Shown>> {
  const thing = await enterShared(deps, request.caller, request.thing, 'read');
  const { organization } = thing;
  const resource = resourceOfThing(organization.key, thing);
  const page = pageOf(deps, request, organization.id, resource);
  return presentPage(
    page,
    await shares.selectShares(deps.database, organization.id, resource, page),
    present,
  );
}

/** What is shared with whoever asks, themselves or through their groups, in one organization. */
export async function listOwnShares<Shown>(
  deps: StorageDeps,
  request: ListRequest & { readonly organizationKey: string },
  present: (share: shares.Share) => Shown,
): Promise<Page<Shown>> {
  const { caller } = request;
  const { organization } = await callers.enterOrganization(deps, caller, request.organizationKey);
  const page = pageOf(deps, request, organization.id, caller.accountId);
  const rows = await shares.selectSharesWith(deps.database, organization.id, caller.accountId, page);
  return presentPage(page, rows, present);
}

function pageOf(
  deps: StorageDeps,
  request: ListRequest,
  tenant: string,
  of: string,
): PageRequest<shares.ShareId> {
  return readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'share'>(),
    route: 'listShares',
    tenant,
    filters: { of },
  });
}
