import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { within } from '../folders/authorize-entry.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import { requireRestorable, withEntry } from '../folders/change-entries.ts';
import { updateEntry } from '../folders/entry-store.ts';
import type { Entry } from '../folders/entry.ts';
import { purgedMark } from '../folders/entry.ts';
import { authorizeProject, requireLiveProject, requireProject } from '../projects/authorize-project.ts';
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
        throw contradicts(
          lineage.trashed
            ? 'it is in the trash with what it lies in: delete that for good'
            : 'it is not in the trash: delete it first',
        );
      await updateEntry(transaction, entry, { trashedAt: purgedMark }, now);
    },
  );
  const { projectId, id, kind } = purged;
  await removeSomeOf(deps, [{ projectId, entryId: id, kind }]);
  return purged;
}

/** A project in the trash. The worker removes its contents; from now on it cannot be restored. */
export async function purgeProject(
  deps: StorageDeps,
  { caller, client, projectId }: StorageRequest & { readonly projectId: string },
): Promise<void> {
  const { actor } = await authorizeProject(deps, caller, projectId);
  await deps.database.transaction().execute(async (transaction) => {
    const inside = within(transaction, actor);
    const { project: before } = await authorizeProject(inside, caller, projectId);
    await lockTree(transaction, before.id);
    const { project } = await authorizeProject(inside, caller, projectId);
    requireProject(actor, project, projectActions.purge);
    const now = deps.clock.now();
    if (project.trashedAt === null) throw contradicts('it is not in the trash: delete it first');
    if (project.trashedAt <= trashEndsBefore(now)) throw callers.notFoundOrHidden();
    await updateProject(transaction, project.id, { trashedAt: purgedMark }, now);
    const detail = { projectId: project.id, name: project.name };
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: projectPurged,
      at: now,
      client,
      detail,
    });
  });
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
