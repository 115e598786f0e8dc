import type { DatabaseSync } from 'node:sqlite';

import type { FileChange } from './file-change.ts';
import { hashOf } from './file-change.ts';

/** The text that a chunk added to a file, as it is there. */
export interface Piece {
  readonly ordinal: number;
  readonly chunk: string;
  readonly run: string;
  readonly path: string;
  readonly kind: 'text' | 'settings' | 'copy';
  readonly text: string;
  readonly before: string | null;
}

/** A file that was to be written when its process ended. */
export interface UnsettledEntry {
  readonly ordinal: number;
  readonly path: string;
  readonly beforeHash: string;
  readonly afterHash: string;
  readonly temporary: string;
}

export interface JournalRun {
  readonly id: string;
  readonly startedAt: string;
  readonly command: string;
  readonly state: 'done' | 'undone';
  /** Those whose text is still in the knowledge base. */
  readonly chunks: number;
}

type Row = Record<string, unknown>;

export function openRun(
  database: DatabaseSync,
  run: { readonly id: string; readonly startedAt: string; readonly command: string },
): void {
  database.prepare('insert or ignore into run values (?, ?, ?)').run(run.id, run.startedAt, run.command);
}

/** The newest first. */
export function listRuns(database: DatabaseSync): readonly JournalRun[] {
  const rows = database
    .prepare(
      `select run.id, started_at, command, (select count(distinct chunk) from piece
         where piece.run = run.id and piece.state = 'present') as chunks from run order by run.rowid desc`,
    )
    .all();
  return rows.map((row) => ({
    id: String(row['id']),
    startedAt: String(row['started_at']),
    command: String(row['command']),
    state: Number(row['chunks']) > 0 ? 'done' : 'undone',
    chunks: Number(row['chunks']),
  }));
}

/** Records intended changes to files. Returns a function that records one file. */
export function intentionWriter(
  database: DatabaseSync,
  run: string,
): (change: FileChange, temporary: string) => number {
  const entry = database.prepare(
    `insert into entry (run, path, state, before_hash, after_hash, temporary) values (?, ?, 'intended', ?, ?, ?)`,
  );
  const add = database.prepare(
    `insert into piece (chunk, run, path, kind, text, before_text, state, entry) values (?, ?, ?, ?, ?, ?, 'adding', ?)`,
  );
  const remove = database.prepare("update piece set state = 'removing', entry = ? where ordinal = ?");
  return (change, temporary) => {
    const { lastInsertRowid } = entry.run(
      run,
      change.path,
      hashOf(change.before),
      hashOf(change.after),
      temporary,
    );
    const ordinal = Number(lastInsertRowid);
    for (const piece of change.add) {
      add.run(piece.chunk, piece.run ?? run, change.path, piece.kind, piece.text, piece.before, ordinal);
    }
    for (const piece of change.remove) remove.run(ordinal, piece);
    return ordinal;
  };
}

/** Records the outcome of an intention and its pieces. */
export function settleEntry(database: DatabaseSync, ordinal: number, outcome: 'done' | 'dropped'): void {
  const isDone = outcome === 'done';
  database.prepare('update entry set state = ? where ordinal = ?').run(outcome, ordinal);
  if (isDone) {
    database
      .prepare("update piece set state = 'removed' where entry = ? and state = 'removing'")
      .run(ordinal);
    database.prepare("update piece set state = 'present' where entry = ? and state = 'adding'").run(ordinal);
  } else {
    database.prepare("delete from piece where entry = ? and state = 'adding'").run(ordinal);
    database
      .prepare("update piece set state = 'present' where entry = ? and state = 'removing'")
      .run(ordinal);
  }
}

/** The newest first: the order in which they are settled. */
export function unsettledEntries(database: DatabaseSync): readonly UnsettledEntry[] {
  const rows = database.prepare("select * from entry where state = 'intended' order by ordinal desc").all();
  return rows.map((row) => ({
    ordinal: Number(row['ordinal']),
    path: String(row['path']),
    beforeHash: String(row['before_hash']),
    afterHash: String(row['after_hash']),
    temporary: String(row['temporary']),
  }));
}

export function piecesOfEntry(
  database: DatabaseSync,
  entry: number,
  state: 'adding' | 'removing',
): readonly Piece[] {
  return database
    .prepare('select * from piece where entry = ? and state = ?')
    .all(entry, state)
    .map((row) => toPiece(row));
}

/** Which pieces to take out. */
export type PieceSelection =
  | { readonly run: string }
  | { readonly chunks: readonly string[] }
  | { readonly path: string };

/** Text in files that comes from a migration, newest first. */
export function presentPieces(database: DatabaseSync, selection: PieceSelection): readonly Piece[] {
  const select = (where: string, value: string): readonly Piece[] =>
    database
      .prepare(`select * from piece where state = 'present' and ${where} order by ordinal desc`)
      .all(value)
      .map((row) => toPiece(row));
  if ('run' in selection) return select('run = ?', selection.run);
  if ('path' in selection) return select('path = ?', selection.path);
  return select('chunk in (select value from json_each(?))', JSON.stringify(selection.chunks));
}

/** The piece that this one has replaced in its file. */
export function replacedPiece(database: DatabaseSync, piece: Piece): Piece | null {
  const row = database
    .prepare(
      `select * from piece where chunk = (select replaces from chunk where id = ?) and path = ? and text = ?
         and state = 'removed' order by ordinal desc limit 1`,
    )
    .get(piece.chunk, piece.path, piece.before);
  return row === undefined ? null : toPiece(row);
}

/** Chunks with text in a file that do not count as committed: only some of the files they belong in were written. */
export function halfWrittenChunks(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare(
      `select distinct piece.chunk from piece join chunk on chunk.id = piece.chunk
         where piece.state = 'present' and chunk.state <> 'committed'`,
    )
    .all();
  return rows.map((row) => String(row['chunk']));
}

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

function toPiece(row: Row): Piece {
  return {
    ordinal: Number(row['ordinal']),
    chunk: String(row['chunk']),
    run: String(row['run']),
    path: String(row['path']),
    kind: String(row['kind']) as Piece['kind'],
    text: String(row['text']),
    before: row['before_text'] as string | null,
  };
}
