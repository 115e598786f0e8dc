import { callers } from '../../access/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { findEntries } from '../folders/entry-store.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import { requireLiveProject } from '../projects/authorize-project.ts';
import { projectActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { measureTrash, selectTrash } from './trash-store.ts';

/** Complete, for callers who may delete in the project, and only for them: deleted entries have no path for a policy. */
export async function listTrash<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly page: PageQuery },
  present: (entry: Entry) => Shown,
): Promise<Page<Shown>> {
  const { project } = await requireLiveProject(
    deps,
    request.caller,
    request.projectId,
    projectActions.delete,
  );
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'entry'>(),
    route: 'listTrash',
    tenant: project.id,
    filters: null,
  });
  const since = trashEndsBefore(deps.clock.now());
  const rows = await selectTrash(deps.database, project.id, since, page);
  const placed = rows.map((entry) => ({
    id: entry.id,
    createdAt: entry.trashedAt ?? entry.createdAt,
    entry,
  }));
  return presentPage(page, placed, ({ entry }) => present(entry));
}

/** Some entries in the trash, to restore them together. Also those in a folder that is in the trash. */
export async function readTrashed(
  deps: StorageDeps,
  {
    caller,
    projectId,
    ids,
  }: StorageRequest & { readonly projectId: string; readonly ids: readonly EntryId[] },
): Promise<readonly Entry[]> {
  const { project } = await requireLiveProject(deps, caller, projectId, projectActions.delete);
  const found = await findEntries(deps.database, project.id, ids);
  if (found.length < new Set(ids).size) throw callers.notFoundOrHidden();
  return found;
}

/** The limit of the count. */
const measuredEntriesMax = 10_000;

/** The entries that emptying the trash of a project removes, and the space that it releases. */
export interface TrashSize {
  readonly entries: number;
  readonly bytes: number;
  /** More entries exist than were counted. */
  readonly isMore: boolean;
}

export async function readTrashSize(
  deps: StorageDeps,
  { caller, projectId }: StorageRequest & { readonly projectId: string },
): Promise<TrashSize> {
  const { project } = await requireLiveProject(deps, caller, projectId, projectActions.delete);
  const since = trashEndsBefore(deps.clock.now());
  const found = await measureTrash(deps.database, project.id, since, measuredEntriesMax + 1);
  const isMore = found.entries > measuredEntriesMax;
  return { ...found, entries: isMore ? measuredEntriesMax : found.entries, isMore };
}
