import type { DatabaseSync } from 'node:sqlite';

import type { FileChange } from './file-change.ts';
import { hashBytes } from './file-change.ts';

export interface JournalEntry {
  readonly ordinal: number;
  readonly run: string;
  readonly path: string;
  readonly mode: 'insert' | 'replace';
  readonly state: string;
  readonly existed: boolean;
  readonly beforeHash: string | null;
  readonly afterHash: string;
  readonly undoneHash: string | null;
  readonly beforeBytes: Buffer | null;
  readonly spans: readonly string[];
  readonly temporary: string;
  readonly chunks: readonly string[];
}

export interface JournalRun {
  readonly id: string;
  readonly startedAt: string;
  readonly command: string;
  readonly state: 'open' | 'done' | 'undone';
  readonly chunks: number;
}

/** The hash of a file that is not there. */
export const absent = 'absent';

export function openRun(
  database: DatabaseSync,
  run: { id: string; startedAt: string; command: string },
): void {
  database
    .prepare("insert or ignore into run values (?, ?, ?, 'open')")
    .run(run.id, run.startedAt, run.command);
}

export function closeRun(database: DatabaseSync, id: string, state: 'done' | 'undone'): void {
  database.prepare('update run set state = ? where id = ?').run(state, id);
}

export function closeOpenRuns(database: DatabaseSync): void {
  database.exec("update run set state = 'done' where state = 'open'");
}

export function listRuns(database: DatabaseSync): readonly JournalRun[] {
  const rows = database
    .prepare(
      `select run.id, run.started_at, run.command, run.state, (select count(*) from chunk where chunk.run = run.id)
         as chunks from run order by run.rowid desc`,
    )
    .all();
  return rows.map((row) => ({
    id: String(row['id']),
    startedAt: String(row['started_at']),
    command: String(row['command']),
    state: String(row['state']) as JournalRun['state'],
    chunks: Number(row['chunks']),
  }));
}

export function intend(database: DatabaseSync, run: string, change: FileChange, temporary: string): number {
  const { lastInsertRowid } = database
    .prepare(
      `insert into entry (run, path, mode, state, existed, before_hash, after_hash, before_bytes, span, temporary, chunks)
         values (?, ?, ?, 'intended', ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      run,
      change.path,
      change.mode,
      change.before === null ? 0 : 1,
      change.before === null ? absent : hashBytes(change.before),
      hashBytes(change.after),
      change.mode === 'replace' ? change.before : null,
      JSON.stringify(change.spans),
      temporary,
      JSON.stringify(change.chunks),
    );
  return Number(lastInsertRowid);
}

export function setEntryState(
  database: DatabaseSync,
  ordinal: number,
  state: string,
  undoneHash?: string,
): void {
  database
    .prepare('update entry set state = ?, undone_hash = coalesce(?, undone_hash) where ordinal = ?')
    .run(state, undoneHash ?? null, ordinal);
}

/** Newest first: the order in which they are undone. */
export function readEntries(
  database: DatabaseSync,
  filter: { readonly state: string; readonly run?: string },
): readonly JournalEntry[] {
  const rows = database
    .prepare('select * from entry where state = ? and (? is null or run = ?) order by ordinal desc')
    .all(filter.state, filter.run ?? null, filter.run ?? null);
  return rows.map((row) => ({
    ordinal: Number(row['ordinal']),
    run: String(row['run']),
    path: String(row['path']),
    mode: String(row['mode']) as JournalEntry['mode'],
    state: String(row['state']),
    existed: row['existed'] === 1,
    beforeHash: row['before_hash'] as string | null,
    afterHash: String(row['after_hash']),
    undoneHash: row['undone_hash'] as string | null,
    beforeBytes: row['before_bytes'] === null ? null : Buffer.from(row['before_bytes'] as Uint8Array),
    spans: JSON.parse(String(row['span'])) as string[],
    temporary: String(row['temporary']),
    chunks: JSON.parse(String(row['chunks'])) as string[],
  }));
}

/** Files and folders (with a slash at the end) that exist only because of a migration. */
export function recordCreated(database: DatabaseSync, path: string, heading: string): void {
  database.prepare('insert or replace into created values (?, ?)').run(path, heading);
}

export function createdHeading(database: DatabaseSync, path: string): string | null {
  const row = database.prepare('select heading from created where path = ?').get(path);
  return row === undefined ? null : String(row['heading']);
}

/** The innermost first. */
export function createdFolders(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("select path from created where path like '%/' order by length(path) desc")
    .all();
  return rows.map((row) => String(row['path']).slice(0, -1));
}

export function forgetCreated(database: DatabaseSync, path: string): void {
  database.prepare('delete from created where path = ?').run(path);
}
