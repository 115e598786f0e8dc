import { callers, corePermissions, permissions, shares } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { parseId } from '../../foundation/ids.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findEntry, findLineage } from '../folders/entry-store.ts';
import { findProject } from '../projects/project-store.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import type { ShareTargetRef } from './authorize-share-target.ts';
import { authorizeShareTarget } from './authorize-share-target.ts';
import type { ShareTarget } from './share-target.ts';
import { resourceOfTarget, targetOfResource } from './share-target.ts';

type ListRequest = StorageRequest & { readonly page: PageQuery };

/** The shares of the resource itself; its parents may have more. */
export async function listShares<Shown>(
  deps: StorageDeps,
  request: ListRequest & { readonly thing: ShareTargetRef },
  present: (share: shares.Share) => Shown,
): Promise<Page<Shown>> {
  const thing = await authorizeShareTarget(deps, request.caller, request.thing, 'read');
  const { organization } = thing;
  const resource = resourceOfTarget(organization.key, thing);
  const page = pageOf(deps, request, organization.id, resource);
  return presentPage(
    page,
    await shares.selectShares(deps.database, organization.id, resource, page),
    present,
  );
}

interface OneOrganization {
  readonly organizationKey: string;
}
interface SeveralOrganizations {
  readonly organizationKeys: readonly string[];
}

/** The shares of the caller, direct or through groups, in one organization or several. */
export async function listOwnShares<Shown>(
  deps: StorageDeps,
  request: ListRequest & (OneOrganization | SeveralOrganizations),
  present: (share: shares.Share) => Shown,
): Promise<Page<Shown>> {
  const { caller } = request;
  const ids =
    'organizationKey' in request
      ? [await requireListing(deps, caller, request.organizationKey)]
      : await listingOrganizations(deps, caller, request.organizationKeys);
  const tenant = 'organizationKey' in request ? (ids[0] ?? '') : caller.accountId;
  const page = pageOf(deps, request, tenant, caller.accountId);
  const rows = await shares.selectSharesWith(deps.database, ids, caller.accountId, page);
  return presentPage(page, rows, present);
}

async function requireListing(
  deps: StorageDeps,
  caller: callers.Caller,
  organizationKey: string,
): Promise<callers.Organization['id']> {
  const actor = await callers.authorizeOrganization(deps, caller, organizationKey);
  const { organization } = actor;
  // Every role has this permission; a limited key may not.
  const { read } = corePermissions.organizationActions;
  callers.requirePermission(actor, read, permissions.resourceOf(organization.key));
  return organization.id;
}

/** Without those that refuse this credential, such as a key for another organization. */
async function listingOrganizations(
  deps: StorageDeps,
  caller: callers.Caller,
  keys: readonly string[],
): Promise<readonly callers.Organization['id'][]> {
  const found = await Promise.all(
    keys.map((key) =>
      requireListing(deps, caller, key).catch((error: unknown) => {
        if (error instanceof ProblemError) return null;
        throw error;
      }),
    ),
  );
  return found.filter((id) => id !== null);
}

/** A share with its resource; the name is null while the resource is in the trash. */
export interface NamedShare {
  readonly share: shares.Share;
  readonly thing: ShareTarget;
  readonly name: string | null;
}

/** The shares of `listOwnShares`, with display names. */
export async function listNamedShares(
  deps: StorageDeps,
  request: ListRequest & { readonly organizationKey: string },
): Promise<Page<NamedShare>> {
  const found = await listOwnShares(deps, request, (share) => share);
  const named = found.data.map(async (share): Promise<readonly NamedShare[]> => {
    const thing = targetOfResource(share.resource);
    return thing === null ? [] : [{ share, thing, name: await nameOf(deps.database, thing) }];
  });
  return { ...found, data: (await Promise.all(named)).flat() };
}

async function nameOf(database: Database, { kind, id: text }: ShareTarget): Promise<string | null> {
  if (kind === 'project') {
    const id = parseId<'project'>(text);
    const project = id.ok ? await findProject(database, id.value) : null;
    return project?.trashedAt === null ? project.name : null;
  }
  const id = parseId<'entry'>(text);
  const entry = id.ok ? await findEntry(database, id.value) : null;
  if (entry === null || entry.trashedAt !== null) return null;
  const { trashed } = await findLineage(database, entry.projectId, entry.parentId);
  return trashed ? null : entry.name;
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
