import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { markCommitted } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import {
  missingFolders,
  putInPlace,
  removeFile,
  syncFolder,
  temporaryPath,
  writeTemporary,
} from './atomic-file.ts';
import { intend, readEntries, recordCreated, setEntryState } from './commit-journal.ts';
import type { FileChange } from './file-change.ts';
import { hashBytes, readIfThere } from './file-change.ts';
import { CommitRefusedError } from './safe-path.ts';
import { undoGroup } from './undo-run.ts';

export interface CommitFailure {
  readonly path: string;
  readonly chunks: readonly string[];
  readonly reason: string;
}

interface PlannedChange {
  readonly change: FileChange;
  readonly temporary: string;
  readonly entry: number;
}

/**
 * Intentions first, then the files, then the outcome: killed anywhere in between, the journal and the files together
 * say what has happened. All of a batch that can be written is; what cannot stays in the queue.
 */
export function commitBatch(
  queue: QueueHandle,
  run: string,
  changes: readonly FileChange[],
): readonly CommitFailure[] {
  const { database } = queue;
  const planned = inTransaction(database, () =>
    changes.map((change): PlannedChange => {
      const temporary = temporaryPath(change.path, run);
      for (const folder of missingFolders(dirname(change.path))) recordCreated(database, `${folder}/`, '');
      if (change.before === null) recordCreated(database, change.path, change.heading);
      return { change, temporary, entry: intend(database, run, change, temporary) };
    }),
  );
  const failures = new Map<number, CommitFailure>();
  for (const { change, temporary, entry } of planned) {
    try {
      writeChange(change, temporary);
    } catch (error) {
      removeFile(temporary);
      const reason = error instanceof Error ? error.message : String(error);
      failures.set(entry, { path: change.path, chunks: change.chunks, reason });
    }
  }
  for (const folder of new Set(planned.map(({ change }) => dirname(change.path)))) {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) syncFolder(folder);
  }
  const failed = new Set([...failures.values()].flatMap((failure) => failure.chunks));
  inTransaction(database, () => {
    for (const { change, entry } of planned) {
      setEntryState(database, entry, failures.has(entry) ? 'dropped' : 'done');
      markCommitted(
        database,
        change.chunks.filter((chunk) => !failed.has(chunk)),
        run,
      );
    }
  });
  if (failed.size === 0) return [];
  const half = readEntries(database, { state: 'done', run }).filter((entry) =>
    entry.chunks.some((id) => failed.has(id)),
  );
  undoGroup(queue, half);
  return [...failures.values()];
}

function writeChange(change: FileChange, temporary: string): void {
  mkdirSync(dirname(change.path), { recursive: true });
  const status = lstatSync(change.path, { throwIfNoEntry: false });
  writeTemporary(temporary, change.after, status === undefined ? null : status.mode & 0o777);
  const now = readIfThere(change.path);
  const isSame =
    now === null || change.before === null
      ? now === change.before
      : hashBytes(now) === hashBytes(change.before);
  if (!isSame) throw new CommitRefusedError('the file was changed by someone else at this moment; try again');
  putInPlace(temporary, change.path);
}
