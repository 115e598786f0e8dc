import { permissions } from '../../access/index.ts';
import type { callers } from '../../access/index.ts';
import type { Project } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf, entryActions, pathsOf } from '../storage-actions.ts';

/** Anywhere in the project, also outside of folders. */
export const anywhere = '';
/** Every name, or any folder. */
export const every = '*';

/** Entries of this kind and name below this folder. */
export interface ReadableEntries {
  readonly kind: EntryKind;
  readonly above: string;
  readonly name: string;
}

/** The readable descendants of a project: all, or those that one of these matches. */
export type ReadableBelow = 'all' | readonly ReadableEntries[];

export function readableBelow(
  { authority }: callers.OrganizationActor,
  { id: projectId, organization }: Project,
): ReadableBelow {
  const [path] = pathsOf({ organizationKey: organization.key, projectId, folders: [] });
  if (path === undefined) return [];
  const kinds: readonly EntryKind[] = ['folder', 'file'];
  const found = kinds.flatMap((kind): readonly ReadableEntries[] => {
    const [action, collection] = [entryActions[kind].read, collectionOf[kind]];
    const names = permissions.coveredNames(authority, action, [path], collection);
    if (names === 'all') return [{ kind, above: anywhere, name: every }];
    const open = [...path.segments, collectionOf.folder, null, collection, null];
    const below = permissions.coveredPaths(authority, action, open);
    return [
      ...[...names].map((name) => ({ kind, above: anywhere, name })),
      ...below.map(([above = '', name = '']) => ({ kind, above, name })),
    ];
  });
  const isAll = (kind: EntryKind): boolean =>
    found.some((one) => one.kind === kind && one.above === anywhere && one.name === every);
  return kinds.every(isAll) ? 'all' : found;
}
