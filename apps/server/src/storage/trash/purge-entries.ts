import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import { requireRestorable, withEntry } from '../folders/change-entries.ts';
import { updateEntry } from '../folders/entry-store.ts';
import type { Entry } from '../folders/entry.ts';
import { purgedMark } from '../folders/entry.ts';
import { requireLiveProject, within } from '../projects/authorize-project.ts';
import type { ProjectRequest } from '../projects/change-projects.ts';
import { withProject } from '../projects/change-projects.ts';
import { lockTree, updateProject } from '../projects/project-store.ts';
import { projectActions, trashActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { contradicts } from '../storage-problems.ts';
import { removeSomeOf } from './empty-trash.ts';
import { purgeTrash } from './trash-store.ts';

export const entryPurged = defineAuditKind(
  'entry_purged',
  (word) => `You permanently deleted the ${word('entryKind')} “${word('name')}”.`,
);
export const projectPurged = defineAuditKind(
  'project_purged',
  (word) => `You permanently deleted the project “${word('name')}”.`,
);
export const trashEmptied = defineAuditKind(
  'trash_emptied',
  (word) => `You emptied the trash of the project “${word('name')}”.`,
);

/**
 * Marks the root of the purged subtree, in one row, and removes as much of it as one request can; the worker removes
 * the rest. Once marked, nothing of it can be found or restored.
 */
export async function purgeEntry(
  deps: StorageDeps,
  request: StorageRequest & { readonly entry: NamedEntry },
): Promise<Entry> {
  const purged = await withEntry(
    deps,
    request,
    { verb: 'purge', alone: true, kind: entryPurged },
    async (transaction, entered, now) => {
      requireRestorable(entered, now);
      const { entry, lineage } = entered;
      if (entry.trashedAt === null)
        throw lineage.trashed
          ? contradicts('It was deleted with its folder. Permanently delete that folder instead.')
          : notInTrash();
      await updateEntry(transaction, entry, { trashedAt: purgedMark }, now);
    },
  );
  const { projectId, id, kind } = purged;
  await removeSomeOf(deps, [{ projectId, entryId: id, kind }]);
  return purged;
}

/** A project in the trash. The worker removes its contents; from now on it cannot be restored. */
export async function purgeProject(deps: StorageDeps, request: ProjectRequest): Promise<void> {
  const change = { action: projectActions.purge, kind: projectPurged };
  await withProject(deps, request, change, async (transaction, project, now) => {
    if (project.trashedAt === null) throw notInTrash();
    if (project.trashedAt <= trashEndsBefore(now)) throw callers.notFoundOrHidden();
    await updateProject(transaction, project.id, { trashedAt: purgedMark }, now);
    return { ...project, trashedAt: purgedMark };
  });
}

function notInTrash(): ProblemError {
  return contradicts('It is not in the trash. Delete it first.');
}

/** Short transactions, whatever the amount: creations in the project wait for one of them. */
const rootsMax = 500;

/** Everything in the trash of a project. */
export async function emptyProjectTrash(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string },
): Promise<void> {
  const { caller, client, projectId } = request;
  const { actor, project } = await requireLiveProject(deps, caller, projectId, trashActions.purge);
  const purgeSome = () =>
    deps.database.transaction().execute(async (transaction) => {
      await lockTree(transaction, project.id);
      await requireLiveProject(within(transaction, actor), caller, projectId, trashActions.purge);
      const roots = await purgeTrash(transaction, project.id, rootsMax);
      if (roots.length === 0) return roots;
      const detail = { projectId: project.id, name: project.name, entries: roots.length };
      await changes.recordActorEvent(transaction, deps, actor, {
        kind: trashEmptied,
        at: deps.clock.now(),
        client,
        detail,
      });
      return roots;
    });
  const first = await purgeSome();
  for (let last = first; last.length === rootsMax;) last = await purgeSome();
  await removeSomeOf(
    deps,
    first.map(({ id, kind }) => ({ projectId: project.id, entryId: id, kind })),
  );
}
