import { permissions } from '../../access/index.ts';
import type { callers } from '../../access/index.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { EntryKind, Place } from '../storage-actions.ts';
import {
  entryActions,
  entryResources,
  pathsOf,
  projectActions,
  trashActions,
  versionActions,
} from '../storage-actions.ts';

type Authority = callers.OrganizationActor['authority'];
interface Moved {
  readonly id: string;
  readonly kind: EntryKind;
}

/**
 * A move must not make content permanently deletable by the caller: a writer could otherwise move it into a folder that
 * they may purge.
 */
export function requireNoPurgeGained(
  { authority }: callers.OrganizationActor,
  moved: Moved,
  { from, to }: { readonly from: Place; readonly to: Place },
): void {
  const [before, after] = [purgesIn(authority, moved, from), purgesIn(authority, moved, to)];
  const isGained =
    !before.whole &&
    (after.whole || (after.below && !before.below) || (after.versions && !before.versions && !before.below));
  if (isGained)
    throw new ProblemError(
      forbidden,
      'The move would allow you to delete it permanently, which you cannot do at its current location. Copy it instead, or ask an owner or admin to move it.',
    );
}

interface Purges {
  /** The entry, alone or with a folder above it, the trash or the project. */
  readonly whole: boolean;
  /** Something in it. */
  readonly below: boolean;
  /** Earlier contents of it, or of files in it. */
  readonly versions: boolean;
}

function purgesIn(authority: Authority, { id, kind }: Moved, place: Place): Purges {
  const may = (action: permissions.Action, resources: readonly permissions.Resource[]): boolean =>
    resources.some((resource) => permissions.allows(authority, action, resource));
  const project = pathsOf({ ...place, folders: [] });
  const isAbove = place.folders.some((folder, index) =>
    may(
      entryActions.folder.purge,
      entryResources({ ...place, folders: place.folders.slice(index + 1) }, 'folder', folder),
    ),
  );
  const inside = { ...place, folders: kind === 'folder' ? [id, ...place.folders] : place.folders };
  const anyOf = (one: EntryKind) => entryResources(inside, one, noId);
  return {
    whole:
      isAbove ||
      may(entryActions[kind].purge, entryResources(place, kind, id)) ||
      may(trashActions.purge, project) ||
      may(projectActions.purge, project),
    below:
      kind === 'folder' &&
      (may(entryActions.file.purge, anyOf('file')) || may(entryActions.folder.purge, anyOf('folder'))),
    versions:
      kind === 'folder'
        ? may(versionActions.purge, anyOf('file'))
        : may(versionActions.purge, entryResources(place, kind, id)),
  };
}

/** No entry has this id: policies cover what is in a folder by its kind. */
export const noId = '00000000-0000-0000-0000-000000000000';
