import { callers, permissions } from '../access/index.ts';
import { forbidden } from '../foundation/http/http-problems.ts';
import { ProblemError } from '../foundation/problem.ts';

type Action = permissions.Action;

interface StorageActions {
  readonly read: Action;
  readonly create: Action;
  readonly update: Action;
  readonly delete: Action;
}

/** The actions on resources of this domain. Deleting moves to the trash; purging cannot be undone. */
export const projectActions = withPurge('Projects');
export const entryActions = { folder: withPurge('Folders'), file: withPurge('Files') } as const;
/** On the shared folder or file, or the project. */
export const shareActions = actionsOn('Shares');
/** On the file: its earlier contents. */
export const versionActions = { read: actionOf('Versions', 'read'), purge: actionOf('Versions', 'purge') };
/** On the project: open uploads of others. */
export const uploadActions = { purge: actionOf('Uploads', 'purge') };
/** On the project: its quota. On the collection of projects: the quotas of persons. Not `update`, which members have. */
export const quotaActions = { set: actionOf('Quotas', 'set') };
/** On the project: everything in its trash. */
export const trashActions = { purge: actionOf('Trash', 'purge') };

function actionOf(resource: string, verb: string): Action {
  return permissions.defineAction(`Daybook.Storage/${resource}/${verb}`);
}

function withPurge(resource: string): StorageActions & { readonly purge: Action } {
  return { ...actionsOn(resource), purge: actionOf(resource, 'purge') };
}

function actionsOn(resource: string): StorageActions {
  return {
    read: actionOf(resource, 'read'),
    create: actionOf(resource, 'create'),
    update: actionOf(resource, 'update'),
    delete: actionOf(resource, 'delete'),
  };
}

export type EntryKind = keyof typeof entryActions;

/** The segment for a kind in paths and resources. */
export const collectionOf: Readonly<Record<EntryKind, string>> = { folder: 'folders', file: 'files' };

/** A location: a project, and in it the parent folders, nearest first. */
export interface Place {
  readonly organizationKey: string;
  readonly projectId: string;
  readonly folders: readonly string[];
}

/**
 * Resources have at most eight segments and folders nest deeper, so an entry has one path for the project and one
 * for each parent folder: a policy on `…/folders/<f>/**` covers the subtree.
 */
export function pathsOf({ organizationKey, projectId, folders }: Place): readonly permissions.Resource[] {
  return [
    permissions.resourceOf(organizationKey, 'projects', projectId),
    ...folders.map((folder) =>
      permissions.resourceOf(organizationKey, 'projects', projectId, 'folders', folder),
    ),
  ];
}

/** The paths of a folder or file in that place; without an id, of the collection in which one is created. */
export function entryResources(place: Place, kind: EntryKind, id?: string): readonly permissions.Resource[] {
  const { organizationKey, projectId, folders } = place;
  const tail = id === undefined ? [collectionOf[kind]] : [collectionOf[kind], id];
  return [
    permissions.resourceOf(organizationKey, 'projects', projectId, ...tail),
    ...folders.map((folder) =>
      permissions.resourceOf(organizationKey, 'projects', projectId, 'folders', folder, ...tail),
    ),
  ];
}

/** One path that allows it suffices. Raises `not_found` for callers who may not read the resource. */
export function requireOnAny(
  { authority }: callers.OrganizationActor,
  action: Action,
  resources: readonly permissions.Resource[],
  reading: { readonly action: Action; readonly resources: readonly permissions.Resource[] },
): void {
  if (resources.some((resource) => permissions.allows(authority, action, resource))) return;
  if (!reading.resources.some((resource) => permissions.allows(authority, reading.action, resource)))
    throw callers.notFoundOrHidden();
  throw new ProblemError(forbidden, `This requires the permission ${action.text} on ${resources[0]?.text}.`);
}
