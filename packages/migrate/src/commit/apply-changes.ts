import { lstatSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import { reasonOf } from '../sources/source-walk.ts';
import {
  copyTemporary,
  missingFolders,
  putInPlace,
  removeFile,
  syncFolder,
  temporaryName,
  writeTemporary,
} from './atomic-file.ts';
import { forgetAttachment } from './attachment-planner.ts';
import type { FileChange } from './file-change.ts';
import { hashFile, hashOf } from './file-change.ts';
import { forgetCreated, intentionWriter, recordCreated, settleEntry } from './journal-store.ts';
import { CommitRefusedError, refuseReadOnly } from './safe-path.ts';
import { keepTargetFile, renewTargetFile } from './target-file-store.ts';

export interface CommitFailure {
  readonly path: string;
  readonly reason: string;
}

interface IntendedChange {
  readonly change: FileChange;
  readonly temporary: string;
  readonly entry: number;
}

/**
 * Intentions first, then the files, then the outcome: after a kill at any point, the journal and the files together
 * show the state. All possible changes are made; `onSettled` runs in the transaction of the outcome, with those that
 * could not.
 */
export function applyChanges(
  queue: QueueHandle,
  run: string,
  changes: readonly FileChange[],
  onSettled: (failures: ReadonlyMap<FileChange, CommitFailure>) => void,
): readonly CommitFailure[] {
  const { database, root } = queue;
  const intended = inTransaction(database, () => {
    const intend = intentionWriter(database, run);
    return changes.map((change): IntendedChange => {
      const temporary = join(dirname(change.path), temporaryName(run));
      for (const folder of missingFolders(join(root, dirname(change.path)))) {
        recordCreated(database, `${relative(root, folder).split(sep).join('/')}/`, '');
      }
      if (change.before === null) recordCreated(database, change.path, change.heading);
      return { change, temporary, entry: intend(change, temporary) };
    });
  });
  const failures = new Map<FileChange, CommitFailure>();
  for (const { change, temporary } of intended) {
    try {
      writeChange(root, change, join(root, temporary));
    } catch (error) {
      removeFile(join(root, temporary));
      failures.set(change, {
        path: change.path,
        reason: reasonOf(error),
      });
    }
  }
  for (const folder of new Set(changes.map(({ path }) => dirname(join(root, path))))) {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) syncFolder(folder);
  }
  inTransaction(database, () => {
    for (const { change, entry } of intended) {
      settleEntry(database, entry, failures.has(change) ? 'dropped' : 'done');
      if (failures.has(change)) continue;
      if (change.after === null) {
        forgetCreated(database, change.path);
        forgetAttachment(database, change.path);
      }
      if (change.after !== null && !Buffer.isBuffer(change.after)) continue;
      if (isAppended(change)) keepTargetFile(database, change.path, change.after);
      else renewTargetFile(database, change.path, change.after);
    }
    onSettled(failures);
  });
  return [...failures.values()];
}

/** A separate note has no heading and no text before it; a rewritten piece is known already. */
function isAppended({ add, remove, before, heading }: FileChange): boolean {
  return add.length > 0 && remove.length === 0 && (before !== null || heading !== '');
}

/** The mode of a target without the readers that the source does not have. */
function privateMode(mode: number, source: number): number {
  const group = (source & 0o040) === 0 ? 0 : 0o070;
  const others = (source & 0o004) === 0 ? 0 : 0o007;
  return mode & (0o700 | group | others);
}

function writeChange(root: string, change: FileChange, temporary: string): void {
  const path = join(root, change.path);
  refuseReadOnly(path);
  mkdirSync(dirname(path), { recursive: true });
  const status = lstatSync(path, { throwIfNoEntry: false });
  const mode = privateMode(status === undefined ? 0o644 : status.mode & 0o777, change.mode ?? 0o777);
  const isWritten = Buffer.isBuffer(change.after) || (change.after?.from ?? null) !== null;
  if (Buffer.isBuffer(change.after)) writeTemporary(temporary, change.after, mode);
  else if (change.after !== null && change.after.from !== null) copyTemporary(temporary, change.after.from);
  if (isWritten && change.modifiedMs !== undefined)
    utimesSync(temporary, change.modifiedMs / 1000, change.modifiedMs / 1000);
  if (isWritten && hashFile(temporary) !== hashOf(change.after))
    throw new CommitRefusedError('the file to copy was changed at the same time; try again');
  if (hashFile(path) !== hashOf(change.before))
    throw new CommitRefusedError('another program changed the file at the same time; try again');
  if (change.after === null) removeFile(path);
  else if (isWritten) putInPlace(temporary, path);
}
