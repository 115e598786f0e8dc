import { lstatSync } from 'node:fs';

import { markCommitted, reopenChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import { removeFile } from './atomic-file.ts';
import type { JournalEntry } from './commit-journal.ts';
import { absent, closeOpenRuns, readEntries, setEntryState } from './commit-journal.ts';
import { hashBytes, readIfThere } from './file-change.ts';
import { undoGroup } from './undo-run.ts';

export interface Recovery {
  /** Files that had been written, though nobody had noted it yet. */
  readonly found: number;
  /** Files that had not been written; their chunks are still in the queue. */
  readonly dropped: number;
}

/** Settles what an earlier process left between intention and outcome. To be called with the lock held. */
export function recoverJournal(queue: QueueHandle): Recovery {
  const { database } = queue;
  const intended = readEntries(database, { state: 'intended' });
  const undoing = readEntries(database, { state: 'undoing' });
  for (const entry of [...intended, ...undoing]) removeFile(entry.temporary);
  const written = intended.filter(isWritten);
  const unwritten = new Set(
    intended.filter((entry) => !written.includes(entry)).flatMap((entry) => entry.chunks),
  );
  // A chunk that belongs in two files and reached one is taken out of it again, and stays in the queue.
  const half = written.filter((entry) => entry.chunks.some((chunk) => unwritten.has(chunk)));
  inTransaction(database, () => {
    for (const entry of intended) setEntryState(database, entry.ordinal, 'dropped');
    for (const entry of written) {
      setEntryState(database, entry.ordinal, 'done');
      if (!half.includes(entry)) markCommitted(database, entry.chunks, entry.run);
    }
    for (const entry of undoing) {
      const isUndone = currentHash(entry.path) === entry.undoneHash;
      setEntryState(database, entry.ordinal, isUndone ? 'undone' : 'done');
      if (isUndone) for (const chunk of entry.chunks) reopenChunk(database, chunk);
    }
    closeOpenRuns(database);
  });
  undoGroup(queue, half);
  return { found: written.length, dropped: intended.length - written.length };
}

/** Someone may have edited the file since; then the spans themselves tell. */
function isWritten(entry: JournalEntry): boolean {
  const hash = currentHash(entry.path);
  if (hash === entry.afterHash) return true;
  if (hash === entry.beforeHash || hash === absent) return false;
  const text = readIfThere(entry.path)?.toString('utf8') ?? '';
  return entry.spans.length > 0 && entry.spans.every((span) => text.includes(span));
}

function currentHash(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return absent;
  const bytes = readIfThere(path);
  return bytes === null ? absent : hashBytes(bytes);
}
