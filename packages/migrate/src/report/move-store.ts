import type { DatabaseSync } from 'node:sqlite';

/** A committed note: where it was and where it is. */
export interface Move {
  readonly ordinal: number;
  readonly source: string;
  readonly headings: readonly string[];
  /** The folder that was scanned; empty for pasted text. */
  readonly root: string;
  readonly name: string;
  readonly target: string;
  /** Relative to the knowledge root. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly modifiedAt: string | null;
}

const joined = `piece join chunk on chunk.id = piece.chunk
  left join source_file on source_file.id = (select min(file) from file_chunk where file_chunk.chunk = chunk.id)
  left join source_root on source_root.id = source_file.root`;
const shown = "piece.state = 'present' and piece.kind = 'text'";

/** The notes of a run in the order in which they were written, at most `limit` after one. */
export function movesOfRun(
  database: DatabaseSync,
  run: string,
  page: { readonly after: number; readonly limit: number; readonly charsMax: number },
): readonly Move[] {
  return database
    .prepare(
      `select piece.ordinal, chunk.source, chunk.headings, source_root.path as root, source_file.name,
         coalesce(chosen, proposed) as target, piece.path, substr(chunk.text, 1, ?) as before,
         substr(piece.text, 1, ?) as after, source_file.modified_at
         from ${joined} where piece.run = ? and ${shown} and piece.ordinal > ? order by piece.ordinal limit ?`,
    )
    .all(page.charsMax, page.charsMax, run, page.after, page.limit)
    .map((row) => ({
      ordinal: Number(row['ordinal']),
      source: String(row['source']),
      headings: JSON.parse(String(row['headings'])) as readonly string[],
      root: String(row['root'] ?? ''),
      name: String(row['name'] ?? row['source']),
      target: String(row['target']),
      path: String(row['path']),
      before: String(row['before']),
      after: String(row['after']),
      modifiedAt: row['modified_at'] === null ? null : String(row['modified_at']),
    }));
}

/** Every note in the knowledge base that a run has written: its path, its target and when its source was changed. */
export function* writtenNotes(
  database: DatabaseSync,
): Generator<{ readonly path: string; readonly target: string; readonly modifiedAt: string }> {
  const rows = database
    .prepare(
      `select piece.path, coalesce(chosen, proposed) as target, coalesce(source_file.modified_at, '') as modified_at
         from ${joined} where ${shown} order by piece.path`,
    )
    .iterate();
  for (const row of rows)
    yield {
      path: String(row['path']),
      target: String(row['target']),
      modifiedAt: String(row['modified_at']),
    };
}

/** The notes that link to a note, by the path of the latter. */
export function* writtenLinks(
  database: DatabaseSync,
): Generator<{ readonly from: string; readonly to: string }> {
  const rows = database
    .prepare(
      `select distinct target.path as target, piece.path as origin from link
         join piece on piece.chunk = link.chunk and ${shown}
         join file_chunk on file_chunk.file = link.file
         join piece target on target.chunk = file_chunk.chunk and target.state = 'present' and target.kind = 'text'
         where link.state = 'linked' and target.path <> piece.path order by target.path, piece.path`,
    )
    .iterate();
  for (const row of rows) yield { from: String(row['origin']), to: String(row['target']) };
}

/** Committed chunks with queries of Dataview. */
export function dataviewChunks(
  database: DatabaseSync,
): readonly { readonly path: string; readonly text: string }[] {
  return database
    .prepare(
      `select piece.path, chunk.text from ${joined} where ${shown}
         and (instr(chunk.text, 'dataview') > 0 or instr(chunk.text, 'dv.pages') > 0) order by piece.path`,
    )
    .all()
    .map((row) => ({ path: String(row['path']), text: String(row['text']) }));
}

/** Where the notes of a folder of the vault are now, the most notes first. */
export function foldersNow(
  database: DatabaseSync,
  folder: string,
): readonly { readonly folder: string; readonly notes: number }[] {
  const rows = database
    .prepare(
      `select piece.path from ${joined} where ${shown} and substr(source_file.name, 1, ?) = ? collate nocase`,
    )
    .all(folder.length + 1, `${folder}/`);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const path = String(row['path']);
    const name = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '/';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Array.from(counts, ([name, notes]) => ({ folder: name, notes })).sort(
    (one, other) => other.notes - one.notes,
  );
}
