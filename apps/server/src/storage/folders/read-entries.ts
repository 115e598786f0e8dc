import { permissions } from '../../access/index.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { foldName, searchTermsOf } from '../entry-name.ts';
import { collectionOf, entryActions, pathsOf } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { authorizeContainer, authorizeLiveEntry } from './authorize-entry.ts';
import type { NamedEntry } from './change-entries.ts';
import { selectChildren } from './entry-store.ts';
import { searchEntries } from './entry-tree-store.ts';
import type { Entry } from './entry.ts';
import { readableBelow } from './readable-below.ts';

export async function readEntry(
  deps: StorageDeps,
  request: StorageRequest & { readonly entry: NamedEntry },
): Promise<Entry> {
  return (await authorizeLiveEntry(deps, request.caller, request.entry, 'read')).entry;
}

/** The entries of a project or folder that the caller may read. */
export async function listChildren<Shown>(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly projectId: string;
    readonly folderId: string | null;
    readonly page: PageQuery;
  },
  present: (entry: Entry) => Shown,
): Promise<Page<Shown>> {
  const { actor, project, folderId, lineage } = await authorizeContainer(deps, request.caller, request, {
    read: true,
  });
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'entry'>(),
    route: 'listChildren',
    tenant: project.id,
    filters: { folderId },
  });
  const { key: organizationKey } = project.organization;
  const paths = pathsOf({ organizationKey, projectId: project.id, folders: lineage.folders });
  const readable = (kind: keyof typeof entryActions): permissions.CoveredNames =>
    permissions.coveredNames(actor.authority, entryActions[kind].read, paths, collectionOf[kind]);
  const rows = await selectChildren(
    deps.database,
    { projectId: project.id, folderId },
    { folder: readable('folder'), file: readable('file') },
    page,
  );
  return presentPage(page, rows.map(withSortName), present);
}

function withSortName(entry: Entry): Entry & { readonly sortName: string } {
  return { ...entry, sortName: foldName(entry.name) };
}

/** The descendants of a project or folder with all these words in their name that the caller may read. */
export async function searchByName<Shown>(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly projectId: string;
    readonly folderId: string | null;
    readonly name: string;
    readonly page: PageQuery;
  },
  present: (entry: Entry) => Shown,
): Promise<Page<Shown>> {
  const terms = searchTermsOf(request.name);
  if (terms === null) throw invalidField('name', 'must be part of a name', 'query');
  const { actor, project, folderId } = await authorizeContainer(deps, request.caller, request, {
    read: true,
  });
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'entry'>(),
    route: 'searchByName',
    tenant: project.id,
    filters: { folderId, terms },
  });
  const where = { projectId: project.id, folderId, readable: readableBelow(actor, project) };
  const rows = await searchEntries(deps.database, where, terms, page);
  return presentPage(page, rows.map(withSortName), present);
}
