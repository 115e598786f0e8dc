import { addMs } from '../../foundation/instant.ts';
import { findProject, lockTree } from '../projects/project-store.ts';
import { forgetSharesOfEntries, forgetSharesOfProject } from '../shares/forget-shares.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { dayMs, trashDays, versionDays } from '../storage-deps.ts';
import type { Expired } from './garbage-store.ts';
import {
  closeBlob,
  deleteEmptyProjects,
  deleteEntries,
  findInnermost,
  findOrganizationOf,
  selectCondemned,
  selectExpiredTrash,
  selectFilesIn,
  selectOldVersions,
} from './garbage-store.ts';
import { changeUsage } from './usage-store.ts';
import { removeVersions } from './version-store.ts';

type GarbageDeps = Pick<StorageDeps, 'database' | 'clock' | 'bucket' | 'settings'>;

const rowsMax = 500;
const everyVersion = { number: 2 ** 31 - 1 };

/** What has been in the trash for 30 days is removed for good, with everything below it. */
export async function emptyTrash(deps: GarbageDeps): Promise<number> {
  const before = addMs(deps.clock.now(), -trashDays * dayMs);
  const expired = await selectExpiredTrash(deps.database, before, rowsMax);
  for (const root of expired) {
    // From the inside out, a few rows at a time: nothing is ever without the folder it lies in.
    while (await removeSome(deps, root));
  }
  await deps.database.transaction().execute(async (transaction) => {
    for (const project of await deleteEmptyProjects(transaction, before))
      await forgetSharesOfProject(transaction, project);
  });
  return expired.length;
}

/** True where something is left. */
async function removeSome({ database, clock }: GarbageDeps, root: Expired): Promise<boolean> {
  const { projectId } = root;
  return database.transaction().execute(async (transaction) => {
    await lockTree(transaction, projectId);
    const innermost = await findInnermost(transaction, root);
    const files = await selectFilesIn(transaction, projectId, innermost, rowsMax);
    const isEmptied = files.length < rowsMax;
    const gone = isEmptied && innermost !== null ? [...files, innermost] : files;
    const organizationId = await findOrganizationOf(transaction, projectId);
    const bytes =
      gone.length === 0
        ? 0
        : await removeVersions(transaction, { projectId, ids: gone }, everyVersion, clock.now());
    const project = await findProject(transaction, projectId);
    if (project !== null) await forgetSharesOfEntries(transaction, project, gone);
    await deleteEntries(transaction, projectId, files);
    if (isEmptied && innermost !== null) await deleteEntries(transaction, projectId, [innermost]);
    await changeUsage(transaction, organizationId, { used: -bytes });
    return !isEmptied || (innermost !== null && innermost !== root.entryId);
  });
}

/** Versions before the current one are kept for 90 days. */
export async function removeOldVersions({ database, clock }: GarbageDeps): Promise<number> {
  const before = addMs(clock.now(), -versionDays * dayMs);
  const old = await selectOldVersions(database, before, rowsMax);
  for (const { projectId, fileId, number } of old) {
    await database.transaction().execute(async (transaction) => {
      const files = { projectId, ids: [fileId] };
      const bytes = await removeVersions(transaction, files, { number }, clock.now());
      await changeUsage(transaction, await findOrganizationOf(transaction, projectId), { used: -bytes });
    });
  }
  return old.length;
}

/** First the bytes, then the row: what is in the bucket has a row at every moment. */
export async function removeGarbage({ database, clock, bucket, settings }: GarbageDeps): Promise<number> {
  const before = addMs(clock.now(), -settings.graceDays * dayMs);
  const condemned = await selectCondemned(database, before, rowsMax);
  for (const blob of condemned) {
    await bucket.remove(blob.key);
    await database.transaction().execute((transaction) => closeBlob(transaction, blob));
  }
  return condemned.length;
}
