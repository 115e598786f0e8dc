import type { permissions, shares } from '../../access/index.ts';
import type { EntryKind } from '../storage-actions.ts';
import {
  collectionOf,
  entryActions,
  entryResources,
  pathsOf,
  projectActions,
  shareActions,
  versionActions,
} from '../storage-actions.ts';

/** The resource of a share: a project, or a folder or file in it. */
export interface ShareTarget {
  readonly kind: 'project' | EntryKind;
  readonly projectId: string;
  /** Of the folder or file; for a project, its own. */
  readonly id: string;
}

/** A path that is stable across moves: below its project, not below a folder. */
export function resourceOfTarget(organizationKey: string, { kind, projectId, id }: ShareTarget): string {
  const place = { organizationKey, projectId, folders: [] };
  const [resource] = kind === 'project' ? pathsOf(place) : entryResources(place, kind, id);
  return resource?.text ?? '';
}

const form = /^\/organizations\/[^/]+\/projects\/([^/]+)(?:\/(folders|files)\/([^/]+))?$/;

/** Null for a path of another domain. */
export function targetOfResource(resource: string): ShareTarget | null {
  const [, projectId, collection, id] = form.exec(resource) ?? [];
  if (projectId === undefined) return null;
  if (id === undefined) return { kind: 'project', projectId, id: projectId };
  return { kind: collection === collectionOf.folder ? 'folder' : 'file', projectId, id };
}

/** Whether it grants access to earlier versions. */
export function sharesHistory({ policy }: shares.Share): boolean {
  return policy.actions.includes(versionActions.read.text);
}

/** The actions of a level, on the resource itself and, unless it is a file, on all descendants. No level purges. */
export function policyOfShare(
  resource: string,
  kind: ShareTarget['kind'],
  level: shares.ShareLevel,
  withHistory: boolean,
): permissions.WrittenPolicy {
  const { folder, file } = entryActions;
  const kinds = kind === 'file' ? [file] : [folder, file];
  const reading = [
    ...(kind === 'project' ? [projectActions.read] : []),
    ...kinds.map(({ read }) => read),
    ...(withHistory ? [versionActions.read] : []),
  ];
  const writing = kinds.flatMap(({ create, update, delete: remove }) => [create, update, remove]);
  const managing = [shareActions.read, shareActions.create, shareActions.delete];
  const actions = {
    read: reading,
    write: [...reading, ...writing],
    manage: [...reading, ...writing, ...managing],
  }[level];
  return {
    actions: actions.map(({ text }) => text),
    resources: kind === 'file' ? [resource] : [resource, `${resource}/**`],
  };
}
