import { join } from 'node:path';

import { markCommitted, reopenChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import { removeFile } from './atomic-file.ts';
import { absent, hashFile, readIfThere } from './file-change.ts';
import type { UnsettledEntry } from './journal-store.ts';
import {
  forgetCreated,
  halfWrittenChunks,
  piecesOfEntry,
  presentPieces,
  settleEntry,
  unsettledEntries,
} from './journal-store.ts';
import { CommitRefusedError, safeFilePath } from './safe-path.ts';
import { renewTargetFile } from './target-file-store.ts';
import { removeFromFiles } from './undo-pieces.ts';

export interface Recovery {
  /** Files that were written, but not yet recorded as written. */
  readonly found: number;
  /** Files that had not been written; their chunks are still in the queue. */
  readonly dropped: number;
}

/** Marks entries that an earlier process left open as done or dropped. Requires the lock. */
export function recoverJournal(queue: QueueHandle): Recovery {
  const { database } = queue;
  const entries = unsettledEntries(database);
  for (const { temporary } of entries) removeIfInside(queue.root, temporary);
  const written = entries.filter((entry) => isWritten(queue, entry));
  const dropped = new Set(entries.filter((entry) => !written.includes(entry)));
  inTransaction(database, () => {
    const lost = new Set([...dropped].flatMap((entry) => chunksOf(queue, entry, 'adding')));
    for (const entry of entries) settle(queue, entry, dropped.has(entry) ? 'dropped' : 'done', lost);
  });
  undoHalfWritten(queue);
  return { found: written.length, dropped: dropped.size };
}

/** True where a dry run would see an unsettled journal, which it must not settle. */
export function needsRecovery(queue: QueueHandle): boolean {
  return unsettledEntries(queue.database).length > 0;
}

/** A chunk of two files that was written to only one is removed from it and stays in the queue. */
export function undoHalfWritten(queue: QueueHandle): void {
  const chunks = halfWrittenChunks(queue.database);
  const pieces = presentPieces(queue.database, { chunks });
  const run = pieces[0]?.run;
  if (run !== undefined) removeFromFiles(queue, run, [...Map.groupBy(pieces, ({ path }) => path)]);
}

function settle(
  { database, root }: QueueHandle,
  entry: UnsettledEntry,
  outcome: 'done' | 'dropped',
  lost: ReadonlySet<string>,
): void {
  const added = piecesOfEntry(database, entry.ordinal, 'adding');
  const removed = piecesOfEntry(database, entry.ordinal, 'removing');
  settleEntry(database, entry.ordinal, outcome);
  if (outcome === 'dropped') return;
  for (const { chunk, run } of added) if (!lost.has(chunk)) markCommitted(database, [chunk], run);
  for (const { chunk } of removed) {
    if (presentPieces(database, { chunks: [chunk] }).length === 0) reopenChunk(database, chunk);
  }
  if ([...added, ...removed].some(({ kind }) => kind === 'copy')) return;
  const bytes = readIfThere(join(root, entry.path));
  if (bytes === null) forgetCreated(database, entry.path);
  renewTargetFile(database, entry.path, bytes);
}

function chunksOf(
  { database }: QueueHandle,
  entry: UnsettledEntry,
  state: 'adding' | 'removing',
): readonly string[] {
  return piecesOfEntry(database, entry.ordinal, state).map(({ chunk }) => chunk);
}

/** The file may have been edited since; then the pieces themselves decide. */
function isWritten({ database, root }: QueueHandle, entry: UnsettledEntry): boolean {
  const hash = hashFile(join(root, entry.path));
  if (hash === entry.afterHash) return true;
  if (hash === entry.beforeHash || hash === absent) return false;
  const text = readIfThere(join(root, entry.path))?.toString('utf8') ?? '';
  const added = piecesOfEntry(database, entry.ordinal, 'adding').filter(({ kind }) => kind === 'text');
  const removed = piecesOfEntry(database, entry.ordinal, 'removing').filter(({ kind }) => kind === 'text');
  return (
    added.length + removed.length > 0 &&
    added.every((piece) => text.includes(piece.text)) &&
    removed.every((piece) => !text.includes(piece.text))
  );
}

function removeIfInside(root: string, path: string): void {
  try {
    removeFile(join(root, safeFilePath(root, path)));
  } catch (error) {
    if (!(error instanceof CommitRefusedError)) throw error;
  }
}
