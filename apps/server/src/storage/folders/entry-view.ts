import { permissions } from '../../access/index.ts';
import type { callers } from '../../access/index.ts';
import { authorizeProject } from '../projects/authorize-project.ts';
import type { Project } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import {
  entryActions,
  entryResources,
  pathsOf,
  projectActions,
  shareActions,
  trashActions,
  versionActions,
} from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import type { Verb } from './authorize-entry.ts';
import { authorizeContainer, authorizeLiveEntry, placeOf } from './authorize-entry.ts';
import { findEntry, findLineage } from './entry-store.ts';
import type { Entry, EntryId } from './entry.ts';

/** An entry with its path and the caller's permissions, for a page. */
export interface EntryView {
  readonly project: Project;
  /** Whether the project itself is readable, and not only something in it. */
  readonly mayReadProject: boolean;
  /** The readable folders from the outermost inwards, ending with the requested folder. */
  readonly trail: readonly Entry[];
  /** On the entry itself. */
  readonly may: (verb: Verb) => boolean;
  /** Of the project. */
  readonly mayEmptyTrash: boolean;
  /** On the earlier versions of the file. */
  readonly mayReadHistory: boolean;
  /** On its shares and links. */
  readonly mayShare: (verb: 'read' | 'create' | 'delete') => boolean;
  /** In the folder. */
  readonly mayCreate: (kind: EntryKind) => boolean;
}

/** A folder, or the project itself with null. */
export async function viewContainer(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly folderId: string | null },
): Promise<EntryView> {
  const { actor, project, lineage } = await authorizeContainer(deps, request.caller, request, { read: true });
  return viewOf(deps, actor, project, lineage.folders, null);
}

export async function viewFile(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string },
): Promise<EntryView & { readonly file: Entry }> {
  const { caller, fileId: id } = request;
  const {
    actor,
    entry: file,
    lineage,
  } = await authorizeLiveEntry(deps, caller, { id, kind: 'file' }, 'read');
  const { project } = await authorizeProject(deps, caller, file.projectId);
  return { ...(await viewOf(deps, actor, project, lineage.folders, file)), file };
}

/** The entries of one project that the caller may delete (and so restore), or purge. */
export async function entriesAllowing(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string },
  entries: readonly Entry[],
  verb: Verb,
): Promise<ReadonlySet<EntryId>> {
  const { actor, project } = await authorizeProject(deps, request.caller, request.projectId);
  const parents = [...new Set(entries.map(({ parentId }) => parentId))];
  const lineages = new Map(
    await Promise.all(
      parents.map(async (id) => [id, await findLineage(deps.database, project.id, id)] as const),
    ),
  );
  const allowed = entries.filter((entry) => {
    const lineage = lineages.get(entry.parentId);
    if (lineage === undefined) return false;
    const resources = entryResources(placeOf(entry, lineage), entry.kind, entry.id);
    const action = entryActions[entry.kind][verb];
    return resources.some((resource) => permissions.allows(actor.authority, action, resource));
  });
  return new Set(allowed.map(({ id }) => id));
}

async function viewOf(
  { database }: Pick<StorageDeps, 'database'>,
  actor: callers.OrganizationActor,
  project: Project,
  folders: readonly EntryId[],
  file: Entry | null,
): Promise<EntryView> {
  const allowed = (action: permissions.Action, resources: readonly permissions.Resource[]): boolean =>
    resources.some((resource) => permissions.allows(actor.authority, action, resource));
  const inFolders = (above: readonly EntryId[]) =>
    placeOf(
      { organization: project.organization, projectId: project.id },
      { folders: above, trashed: false, purged: false },
    );
  const resourcesOfFolder = (index: number): readonly permissions.Resource[] =>
    entryResources(inFolders(folders.slice(index + 1)), 'folder', folders[index]);
  const readable = folders
    .filter((_, index) => allowed(entryActions.folder.read, resourcesOfFolder(index)))
    .reverse();
  const trail = await Promise.all(readable.map((id) => findEntry(database, id)));
  const projectPaths = pathsOf(inFolders([]));
  const [own, actions] =
    file !== null
      ? [entryResources(inFolders(folders), 'file', file.id), entryActions.file]
      : folders.length === 0
        ? [projectPaths, projectActions]
        : [resourcesOfFolder(0), entryActions.folder];
  return {
    project,
    mayReadProject: allowed(projectActions.read, projectPaths),
    trail: trail.filter((folder) => folder !== null),
    may: (verb) => allowed(actions[verb], own),
    mayEmptyTrash: allowed(trashActions.purge, projectPaths),
    mayReadHistory: allowed(versionActions.read, own),
    mayShare: (verb) => allowed(shareActions[verb], own),
    mayCreate: (kind) => allowed(entryActions[kind].create, entryResources(inFolders(folders), kind)),
  };
}
