import type { DatabaseSync } from 'node:sqlite';

import type { ChunkPart, Remainder } from '../chunks/chunk.ts';
import type { FrontMatter } from '../sources/front-matter.ts';
import { parseFrontMatter } from '../sources/front-matter.ts';
import type { FileStatus } from '../sources/source-kind.ts';

export interface StoredFile {
  readonly id: number;
  readonly root: string;
  readonly name: string;
  readonly status: FileStatus;
  readonly detail: string;
  readonly hash: string | null;
  readonly encoding: string | null;
  readonly confidence: number | null;
  readonly said: boolean;
  readonly frontMatter: string | null;
  readonly stat: FileStat | null;
}

/** What the file system says about a note. */
export interface FileStat {
  readonly mode: number;
  readonly modifiedMs: number;
  /** As ISO 8601 in UTC. */
  readonly modifiedAt: string;
  readonly createdAt: string;
}

/** The result of a scan for a file. */
export interface FileFinding {
  readonly status: FileStatus;
  readonly detail: string;
  readonly hash: string | null;
  readonly encoding: string | null;
  readonly confidence: number | null;
  readonly said: boolean;
  readonly frontMatter: string | null;
  readonly stat: FileStat | null;
}

type Row = Record<string, unknown>;

const columns = 'source_file.*, source_root.path as root_path';
const joined = 'source_file join source_root on source_root.id = source_file.root';

export function listRoots(database: DatabaseSync): readonly string[] {
  return database
    .prepare('select path from source_root order by length(path) desc')
    .all()
    .map((row) => String(row['path']));
}

export function rootId(database: DatabaseSync, path: string): number {
  database.prepare('insert or ignore into source_root (path) values (?)').run(path);
  return Number(database.prepare('select id from source_root where path = ?').get(path)?.['id']);
}

export function findFile(database: DatabaseSync, root: number, name: string): StoredFile | null {
  const row = database
    .prepare(`select ${columns} from ${joined} where root = ? and name = ?`)
    .get(root, name);
  return row === undefined ? null : toFile(row);
}

/** Files with the same bytes, then those with the same name in other folders. */
export function filesLike(
  database: DatabaseSync,
  like: { readonly name: string; readonly hash: string },
): readonly StoredFile[] {
  const known = "status in ('read', 'gone')";
  const same = database
    .prepare(`select ${columns} from ${joined} where hash = ? and ${known}`)
    .all(like.hash);
  const named = database
    .prepare(`select ${columns} from ${joined} where base = ? and name = ? and ${known}`)
    .all(baseName(like.name), like.name);
  return [...same, ...named].map((row) => toFile(row));
}

/** Files of a root whose name without folders and extension is one of these. */
export function filesOfBase(
  database: DatabaseSync,
  root: string,
  bases: readonly string[],
): readonly StoredFile[] {
  return database
    .prepare(
      // By the index of names: the planner would read every file of the root in the order of `order by`.
      `select ${columns} from source_file indexed by source_file_by_base
         cross join source_root on source_root.id = source_file.root
         where source_root.path = ? and base in (select value from json_each(?)) order by name`,
    )
    .all(root, JSON.stringify(bases.map((base) => base.toLowerCase())))
    .map((row) => toFile(row));
}

/** Files by their path, by the end of it or by their name alone, whatever the case. */
export function filesNamed(database: DatabaseSync, given: string): readonly StoredFile[] {
  const wanted = given.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase();
  const files = database
    .prepare(`select ${columns} from ${joined} where base = ? order by name`)
    .all(baseName(wanted))
    .map((row) => toFile(row));
  return files.filter(({ root, name }) => {
    const path = `${root}/${name}`.toLowerCase();
    const isWhole = path === wanted || path.endsWith(`/${wanted}`);
    return isWhole || path.replace(/\.[^./]+$/, '').endsWith(`/${wanted}`);
  });
}

/** The file a chunk was cut from; of several with the same text the first. */
export function fileOfChunk(database: DatabaseSync, chunk: string): StoredFile | null {
  const row = database
    .prepare(
      `select ${columns} from ${joined} join file_chunk on file_chunk.file = source_file.id
         where file_chunk.chunk = ? order by source_file.id limit 1`,
    )
    .get(chunk);
  return row === undefined ? null : toFile(row);
}

/** All files that a chunk was cut from. */
export function filesOfChunk(database: DatabaseSync, chunk: string): readonly StoredFile[] {
  return database
    .prepare(
      `select distinct ${columns} from ${joined} join file_chunk on file_chunk.file = source_file.id
         where file_chunk.chunk = ?`,
    )
    .all(chunk)
    .map((row) => toFile(row));
}

/** The front matter of the note a chunk was cut from; only the first chunk of the note gets it. */
export function frontMatterOf(database: DatabaseSync, chunk: string): FrontMatter | null {
  const row = database
    .prepare(
      `select front_matter from source_file join file_chunk on file_chunk.file = source_file.id
         where file_chunk.chunk = ? and position = 0 and front_matter is not null limit 1`,
    )
    .get(chunk);
  return row === undefined ? null : parseFrontMatter(String(row['front_matter']));
}

export function moveFile(database: DatabaseSync, id: number, root: number, name: string): void {
  database
    .prepare('update source_file set root = ?, name = ?, base = ? where id = ?')
    .run(root, name, baseName(name), id);
}

/** Records the result of the scan `seenBy`, and returns the file's id. */
export function saveFile(
  database: DatabaseSync,
  place: { readonly root: number; readonly name: string; readonly seenBy: string },
  finding: FileFinding,
): number {
  const { root, name, seenBy } = place;
  database
    .prepare(
      `insert into source_file (root, name, base, status, detail, hash, encoding, confidence, said, front_matter, seen_by,
           mode, modified_ms, modified_at, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (root, name) do update set status = excluded.status, detail = excluded.detail,
           hash = excluded.hash, encoding = excluded.encoding, confidence = excluded.confidence, said = excluded.said,
           front_matter = excluded.front_matter, seen_by = excluded.seen_by, mode = excluded.mode,
           modified_ms = excluded.modified_ms, modified_at = excluded.modified_at, created_at = excluded.created_at`,
    )
    .run(
      root,
      name,
      baseName(name),
      finding.status,
      finding.detail,
      finding.hash,
      finding.encoding,
      finding.confidence,
      finding.said ? 1 : 0,
      finding.frontMatter,
      seenBy,
      finding.stat?.mode ?? null,
      finding.stat?.modifiedMs ?? null,
      finding.stat?.modifiedAt ?? null,
      finding.stat?.createdAt ?? null,
    );
  const row = database.prepare('select id from source_file where root = ? and name = ?').get(root, name);
  return Number(row?.['id']);
}

/** Files below a folder of a root that the scan `seenBy` has not met, though an earlier one has read them. */
export function unseenFiles(
  database: DatabaseSync,
  scanned: { readonly root: number; readonly prefix: string; readonly seenBy: string },
): readonly StoredFile[] {
  return database
    .prepare(
      `select ${columns} from ${joined} where root = ? and substr(name, 1, ?) = ? and seen_by <> ?
         and status in ('read', 'blank')`,
    )
    .all(scanned.root, scanned.prefix.length, scanned.prefix, scanned.seenBy)
    .map((row) => toFile(row));
}

export function markGone(database: DatabaseSync, id: number): void {
  database.prepare("update source_file set status = 'gone', detail = '' where id = ?").run(id);
}

export function saveRemainders(database: DatabaseSync, file: number, remainders: readonly Remainder[]): void {
  database.prepare('delete from remainder where file = ?').run(file);
  const insert = database.prepare('insert into remainder values (?, ?, ?, ?)');
  for (const { kind, start, end } of remainders) if (end > start) insert.run(file, start, end, kind);
}

/** The identifying properties of a file's chunks, without their texts. */
export interface ChunkOfFile {
  readonly id: string;
  readonly part: ChunkPart;
  readonly headings: readonly string[];
  readonly replaces: string | null;
}

/** In the order of the file. */
export function chunkPartsOf(database: DatabaseSync, file: number): readonly ChunkOfFile[] {
  return database
    .prepare(
      `select id, part, headings, replaces from chunk join file_chunk on file_chunk.chunk = chunk.id
         where file_chunk.file = ? order by position`,
    )
    .all(file)
    .map((row) => ({
      id: String(row['id']),
      part: String(row['part']) as ChunkPart,
      headings: JSON.parse(String(row['headings'])) as readonly string[],
      replaces: row['replaces'] as string | null,
    }));
}

export function chunkIdsOf(database: DatabaseSync, file: number): readonly string[] {
  return database
    .prepare('select chunk from file_chunk where file = ? order by position')
    .all(file)
    .map((row) => String(row['chunk']));
}

export function saveChunkIds(database: DatabaseSync, file: number, chunks: readonly string[]): void {
  database.prepare('delete from file_chunk where file = ?').run(file);
  const insert = database.prepare('insert into file_chunk values (?, ?, ?)');
  for (const [position, chunk] of chunks.entries()) insert.run(file, position, chunk);
}

/** Every file that was not simply read, in the order of their names. */
export function listUnusualFiles(database: DatabaseSync): readonly StoredFile[] {
  return database
    .prepare(`select ${columns} from ${joined} where status <> 'read' or detail <> '' order by root, name`)
    .all()
    .map((row) => toFile(row));
}

export function baseName(name: string): string {
  return (name.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '').toLowerCase();
}

function toFile(row: Row): StoredFile {
  return {
    id: Number(row['id']),
    root: String(row['root_path']),
    name: String(row['name']),
    status: String(row['status']) as FileStatus,
    detail: String(row['detail']),
    hash: row['hash'] as string | null,
    encoding: row['encoding'] as string | null,
    confidence: row['confidence'] as number | null,
    said: row['said'] === 1,
    frontMatter: row['front_matter'] as string | null,
    stat: toStat(row),
  };
}

function toStat(row: Row): FileStat | null {
  if (typeof row['mode'] !== 'number') return null;
  return {
    mode: row['mode'],
    modifiedMs: Number(row['modified_ms']),
    modifiedAt: String(row['modified_at']),
    createdAt: String(row['created_at']),
  };
}
