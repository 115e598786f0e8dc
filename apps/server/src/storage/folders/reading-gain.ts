import { permissions } from '../../access/index.ts';
import type { callers } from '../../access/index.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Place } from '../storage-actions.ts';
import { entryActions, entryResources, versionActions } from '../storage-actions.ts';
import type { Entry } from './entry.ts';
import { noId } from './purge-gain.ts';

/**
 * A move within a project must not make content readable by the caller: a writer without access to earlier versions could
 * otherwise move a file into a folder whose earlier versions they may read.
 */
export function requireNoReadingGained(
  { authority }: callers.OrganizationActor,
  moved: Pick<Entry, 'id' | 'kind' | 'content'>,
  { from, to }: { readonly from: Place; readonly to: Place },
): void {
  const [before, after] = [readsIn(authority, moved, from), readsIn(authority, moved, to)];
  if (after.some((may, at) => may && before[at] !== true))
    throw new ProblemError(
      forbidden,
      'There you could read earlier versions or contents that you cannot read where it is now. Ask an owner or admin to move it, or copy it.',
    );
}

/** Whether the caller may read: the entry, its earlier versions, and for a folder anything in it. */
function readsIn(
  authority: callers.OrganizationActor['authority'],
  { id, kind, content }: Pick<Entry, 'id' | 'kind' | 'content'>,
  place: Place,
): readonly boolean[] {
  const may = (action: permissions.Action, resources: readonly permissions.Resource[]): boolean =>
    resources.some((resource) => permissions.allows(authority, action, resource));
  const own = entryResources(place, kind, id);
  if (kind === 'file')
    return [may(entryActions.file.read, own), content?.version !== 1 && may(versionActions.read, own)];
  const inside = { ...place, folders: [id, ...place.folders] };
  const files = entryResources(inside, 'file', noId);
  return [
    may(entryActions.folder.read, own),
    may(entryActions.folder.read, entryResources(inside, 'folder', noId)),
    may(entryActions.file.read, files),
    may(versionActions.read, files),
  ];
}
