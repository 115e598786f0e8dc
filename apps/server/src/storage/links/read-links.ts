import { permissions } from '../../access/index.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { authorizeLiveEntry, requireShares } from '../folders/authorize-entry.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import type { EntryId } from '../folders/entry.ts';
import { requireLiveProject } from '../projects/authorize-project.ts';
import type { ProjectId } from '../projects/project.ts';
import { collectionOf, pathsOf, shareActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { countOpening, selectLinks } from './link-store.ts';
import type { Link } from './link.ts';

type ListRequest = StorageRequest & { readonly page: PageQuery };

/** Unexpired links of a folder or file. */
export async function listLinks<Shown>(
  deps: StorageDeps,
  request: ListRequest & { readonly entry: NamedEntry },
  present: (link: Link) => Shown,
): Promise<Page<Shown>> {
  const entered = await authorizeLiveEntry(deps, request.caller, request.entry, 'read');
  requireShares(entered, 'read');
  const { projectId, id: entryId } = entered.entry;
  return pageOfLinks(deps, request, { projectId, entryId }, present);
}

/** All in a project, for callers who may see the links of everything in it. */
export async function listProjectLinks<Shown>(
  deps: StorageDeps,
  request: ListRequest & { readonly projectId: string },
  present: (link: Link) => Shown,
): Promise<Page<Shown>> {
  const { read } = shareActions;
  const { actor, project } = await requireLiveProject(deps, request.caller, request.projectId, read);
  const paths = pathsOf({ organizationKey: project.organization.key, projectId: project.id, folders: [] });
  for (const collection of Object.values(collectionOf))
    if (permissions.coveredNames(actor.authority, read, paths, collection) !== 'all')
      throw new ProblemError(forbidden, `This requires ${read.text} on all ${collection} of the project.`);
  return pageOfLinks(deps, request, { projectId: project.id, entryId: null }, present);
}

async function pageOfLinks<Shown>(
  deps: StorageDeps,
  request: ListRequest,
  where: { readonly projectId: ProjectId; readonly entryId: EntryId | null },
  present: (link: Link) => Shown,
): Promise<Page<Shown>> {
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'link'>(),
    route: 'listLinks',
    tenant: where.projectId,
    filters: { entryId: where.entryId },
  });
  return presentPage(page, await selectLinks(deps.database, where, deps.clock.now(), page), present);
}

export async function noteOpening(
  { database, clock }: Pick<StorageDeps, 'database' | 'clock'>,
  { id }: Link,
): Promise<void> {
  await countOpening(database, id, clock.now());
}
