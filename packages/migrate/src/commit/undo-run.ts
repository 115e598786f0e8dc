import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { reopenChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { inTransaction } from '../queue/queue-database.ts';
import { putInPlace, removeFile, syncFolder, writeTemporary } from './atomic-file.ts';
import type { JournalEntry } from './commit-journal.ts';
import {
  absent,
  closeRun,
  createdFolders,
  createdHeading,
  forgetCreated,
  readEntries,
  setEntryState,
} from './commit-journal.ts';
import { hashBytes, readIfThere } from './file-change.ts';

export type UndoOutcome =
  | { readonly ok: true; readonly files: number; readonly chunks: number }
  | { readonly ok: false; readonly edited: readonly string[] };

const groupEntriesMax = 100;

/** Takes out what a run put in. Does nothing at all if a single piece of it was edited since. */
export function undoRun(queue: QueueHandle, run: string, options: { readonly dryRun: boolean }): UndoOutcome {
  const entries = readEntries(queue.database, { state: 'done', run });
  const edited = new Set<string>();
  const ahead = new Map<string, Buffer | null>();
  for (const entry of entries) {
    const now = ahead.has(entry.path) ? (ahead.get(entry.path) ?? null) : readIfThere(entry.path);
    const without = withoutEntry(queue, entry, now);
    if (without === 'edited') edited.add(entry.path);
    // Only files that a run wrote to several times are kept in memory on the way.
    else if (entry.existed) ahead.set(entry.path, without);
  }
  if (edited.size > 0) return { ok: false, edited: [...edited] };
  const chunks = new Set(entries.flatMap((entry) => entry.chunks)).size;
  if (options.dryRun) return { ok: true, files: entries.length, chunks };
  for (const group of groupsOfDistinctFiles(entries)) undoGroup(queue, group);
  removeEmptyFolders(queue);
  closeRun(queue.database, run, 'undone');
  return { ok: true, files: entries.length, chunks };
}

/** Entries of different files, so that each can be undone without waiting for another of the same group. */
function* groupsOfDistinctFiles(entries: readonly JournalEntry[]): Generator<readonly JournalEntry[]> {
  let group: JournalEntry[] = [];
  for (const entry of entries) {
    if (group.length === groupEntriesMax || group.some(({ path }) => path === entry.path)) {
      yield group;
      group = [];
    }
    group.push(entry);
  }
  if (group.length > 0) yield group;
}

/** Also takes back what was written of a chunk that could not be written everywhere it belongs. */
export function undoGroup(queue: QueueHandle, entries: readonly JournalEntry[]): void {
  const { database } = queue;
  const changes = entries.map((entry) => {
    const without = withoutEntry(queue, entry, readIfThere(entry.path));
    if (without === 'edited') throw new Error(`${entry.path} was edited while it was being undone`);
    return { entry, without };
  });
  inTransaction(database, () => {
    for (const { entry, without } of changes) {
      setEntryState(database, entry.ordinal, 'undoing', without === null ? absent : hashBytes(without));
    }
  });
  for (const { entry, without } of changes) {
    if (without === null) {
      removeFile(entry.path);
      continue;
    }
    writeTemporary(entry.temporary, without, lstatSync(entry.path).mode & 0o777);
    putInPlace(entry.temporary, entry.path);
  }
  for (const folder of new Set(entries.map(({ path }) => dirname(path)))) syncFolder(folder);
  inTransaction(database, () => {
    for (const { entry, without } of changes) {
      setEntryState(database, entry.ordinal, 'undone');
      for (const chunk of entry.chunks) reopenChunk(database, chunk);
      if (without === null) forgetCreated(database, entry.path);
    }
  });
}

/** The file as it would be without the entry; null where it would not exist. */
function withoutEntry(queue: QueueHandle, entry: JournalEntry, now: Buffer | null): Buffer | null | 'edited' {
  if (now === null) return 'edited';
  if (entry.mode === 'replace') {
    return hashBytes(now) === entry.afterHash ? entry.beforeBytes : 'edited';
  }
  let left = now;
  for (const span of entry.spans.toReversed()) {
    const bytes = Buffer.from(span);
    const at = left.lastIndexOf(bytes);
    if (at === -1) return 'edited';
    left = Buffer.concat([left.subarray(0, at), left.subarray(at + bytes.length)]);
  }
  const heading = createdHeading(queue.database, entry.path);
  return heading !== null && left.equals(Buffer.from(heading)) ? null : left;
}

/** Swept as a whole at the end, so that an undo that was killed before it still leaves none behind. */
function removeEmptyFolders(queue: QueueHandle): void {
  for (const folder of createdFolders(queue.database)) {
    const isThere = existsSync(folder);
    if (isThere && readdirSync(folder).length > 0) continue;
    if (isThere) rmdirSync(folder);
    forgetCreated(queue.database, `${folder}/`);
  }
}
