import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Expired } from '../files/garbage-store.ts';
import {
  closeBlob,
  closeShadowed,
  deleteEmptyProjects,
  deleteEntries,
  findInnermost,
  findOrganizationOf,
  markProjectPurged,
  markPurged,
  isUsedElsewhere,
  selectCondemned,
  selectExpiredTrash,
  selectFilesIn,
  selectOldVersions,
  selectShadowed,
} from '../files/garbage-store.ts';
import { changeUsage } from '../files/usage-store.ts';
import { removeVersions } from '../files/version-store.ts';
import type { EntryId } from '../folders/entry.ts';
import { purgedMark } from '../folders/entry.ts';
import { findProject, lockTree } from '../projects/project-store.ts';
import type { ProjectId } from '../projects/project.ts';
import { forgetSharesOfEntries, forgetSharesOfProject } from '../shares/forget-shares.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { graceEndsBefore, trashEndsBefore, versionDays } from '../storage-deps.ts';

type GarbageDeps = Pick<StorageDeps, 'database' | 'clock' | 'bucket' | 'settings'>;

type RemovalDeps = Pick<StorageDeps, 'database' | 'clock'>;

/** What is removed, and how much of it before the rest is left to the worker. */
interface Bound {
  readonly trashedBefore: EpochMicroseconds;
  readonly rows: number;
  readonly transactions: number;
}

const rowsMax = 500;
const everyVersion = { number: 2 ** 31 - 1 };
const unbounded = { rows: Infinity, transactions: Infinity };
const ofOneRequest: Bound = { trashedBefore: purgedMark, rows: rowsMax, transactions: 50 };

/** Removes entries that were purged or have been in the trash for 30 days, with all descendants. */
export async function emptyTrash(deps: GarbageDeps): Promise<number> {
  const before = trashEndsBefore(deps.clock.now());
  let removed = 0;
  for (let isLeft = true; isLeft;) {
    const expired = await selectExpiredTrash(deps.database, before, rowsMax);
    await removeRoots(deps, expired, { ...unbounded, trashedBefore: before });
    removed += expired.length;
    isLeft = expired.length >= rowsMax;
  }
  await deps.database.transaction().execute(async (transaction) => {
    for (const project of await deleteEmptyProjects(transaction, before))
      await forgetSharesOfProject(transaction, project);
  });
  return removed;
}

/** Removes as much of the just purged entries as one request can: usually all, so that their space is free. */
export async function removeSomeOf(deps: RemovalDeps, purged: readonly Expired[]): Promise<void> {
  await removeRoots(deps, purged, ofOneRequest);
}

async function removeRoots(deps: RemovalDeps, roots: readonly Expired[], bound: Bound): Promise<void> {
  const files = Map.groupBy(
    roots.filter(({ kind }) => kind === 'file'),
    ({ projectId }) => projectId,
  );
  const removals = [
    ...[...files].map(
      ([projectId, ofProject]) =>
        () =>
          removeFiles(deps, projectId, ofProject, bound),
    ),
    ...roots.filter(({ kind }) => kind !== 'file').map((root) => () => removeInnermost(deps, root, bound)),
  ];
  let [rows, transactions] = [0, 0];
  for (const remove of removals)
    for (let isLeft = true; isLeft;) {
      if (rows >= bound.rows || transactions >= bound.transactions) return;
      const done = await remove();
      rows += done.rows;
      transactions += 1;
      isLeft = done.isLeft;
    }
}

interface Removed {
  readonly rows: number;
  readonly isLeft: boolean;
}

/** All of them at once: callers pass at most `rowsMax`. */
async function removeFiles(
  deps: RemovalDeps,
  projectId: ProjectId,
  files: readonly Expired[],
  { trashedBefore }: Bound,
): Promise<Removed> {
  return deps.database.transaction().execute(async (transaction) => {
    await lockTree(transaction, projectId);
    const named = files.flatMap(({ entryId }) => entryId ?? []);
    const ids = await markPurged(transaction, projectId, named, trashedBefore);
    await removeEntries(transaction, deps, projectId, ids);
    return { rows: ids.length, isLeft: false };
  });
}

/** From the inside out, a few rows at a time: no entry is ever without its parent folder. */
async function removeInnermost(deps: RemovalDeps, root: Expired, { trashedBefore }: Bound): Promise<Removed> {
  const { projectId, entryId } = root;
  return deps.database.transaction().execute(async (transaction) => {
    await lockTree(transaction, projectId);
    const isExpired =
      entryId === null
        ? await markProjectPurged(transaction, projectId, trashedBefore)
        : (await markPurged(transaction, projectId, [entryId], trashedBefore)).length > 0;
    if (!isExpired) return { rows: 0, isLeft: false };
    const innermost = await findInnermost(transaction, root);
    const files = await selectFilesIn(transaction, projectId, innermost, rowsMax);
    const isEmptied = files.length < rowsMax;
    const gone = isEmptied && innermost !== null ? [...files, innermost] : files;
    await removeEntries(transaction, deps, projectId, gone);
    return { rows: gone.length, isLeft: !isEmptied || (innermost !== null && innermost !== entryId) };
  });
}

/** With their versions and shares; links are deleted by foreign key. */
async function removeEntries(
  transaction: Database,
  { clock }: RemovalDeps,
  projectId: ProjectId,
  ids: readonly EntryId[],
): Promise<void> {
  const project = await findProject(transaction, projectId);
  if (project === null || ids.length === 0) return;
  const bytes = await removeVersions(transaction, { projectId, ids }, everyVersion, clock.now());
  await forgetSharesOfEntries(transaction, project, ids);
  await deleteEntries(transaction, projectId, ids);
  await changeUsage(transaction, project.organization.id, { used: -bytes });
}

/** Earlier versions are retained for 90 days after they were replaced. */
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

/** First the bytes, then the row: every object in the bucket always has a row. */
export async function removeGarbage(deps: GarbageDeps): Promise<number> {
  const { database, bucket } = deps;
  for (const blob of await selectShadowed(database, rowsMax))
    await database.transaction().execute((transaction) => closeShadowed(transaction, blob, deps.clock.now()));
  const condemned = await selectCondemned(database, graceEndsBefore(deps), rowsMax);
  for (const blob of condemned) {
    if (!(await isUsedElsewhere(database, blob))) await bucket.remove(blob.key);
    await database.transaction().execute((transaction) => closeBlob(transaction, blob));
  }
  return condemned.length;
}
