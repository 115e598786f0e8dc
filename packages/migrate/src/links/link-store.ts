import type { DatabaseSync } from 'node:sqlite';

/** The state of a link of a committed chunk. */
export interface StoredLink {
  /** As written in the note. */
  readonly raw: string;
  readonly state: 'linked' | 'waiting' | 'missing';
  /** The file it refers to, if it exists. */
  readonly file: number | null;
  /** As it was written to the knowledge base. */
  readonly rendered: string;
}

export function saveLinks(database: DatabaseSync, chunk: string, links: readonly StoredLink[]): void {
  database.prepare('delete from link where chunk = ?').run(chunk);
  const insert = database.prepare('insert into link values (?, ?, ?, ?, ?, ?)');
  for (const [ordinal, { raw, state, file, rendered }] of links.entries()) {
    insert.run(chunk, ordinal, raw, state, file, rendered);
  }
}

export function linksOf(database: DatabaseSync, chunk: string): readonly StoredLink[] {
  return database
    .prepare('select * from link where chunk = ? order by ordinal')
    .all(chunk)
    .map((row) => ({
      raw: String(row['raw']),
      state: String(row['state']) as StoredLink['state'],
      file: row['file'] as number | null,
      rendered: String(row['rendered']),
    }));
}

/** Committed chunks whose links must be rewritten: their note was added or removed. */
export function outdatedChunks(database: DatabaseSync): readonly string[] {
  const isThere = `exists (select 1 from file_chunk join piece on piece.chunk = file_chunk.chunk
    where file_chunk.file = link.file and piece.state = 'present' and piece.kind = 'text')`;
  const rows = database
    .prepare(
      `select distinct link.chunk from link join chunk on chunk.id = link.chunk
         join source_file on source_file.id = link.file
         where chunk.state = 'committed' and source_file.status in ('read', 'gone')
           and ((link.state = 'waiting' and ${isThere}) or (link.state = 'linked' and not ${isThere}))`,
    )
    .all();
  return rows.map((row) => String(row['chunk']));
}

/** Links of committed chunks without a target, or to notes that are not committed. */
export function openLinks(
  database: DatabaseSync,
): readonly { readonly source: string; readonly raw: string; readonly state: 'waiting' | 'missing' }[] {
  return database
    .prepare(
      `select chunk.source, link.raw, link.state from link join chunk on chunk.id = link.chunk
         where link.state <> 'linked' and chunk.state = 'committed' order by link.state, chunk.source, link.ordinal`,
    )
    .all()
    .map((row) => ({
      source: String(row['source']),
      raw: String(row['raw']),
      state: String(row['state']) as 'waiting' | 'missing',
    }));
}
