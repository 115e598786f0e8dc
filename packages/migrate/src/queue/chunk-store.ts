import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { idHexDigits } from '../chunks/chunk-identity.ts';
import { textPieces } from '../chunks/text-pieces.ts';
import type { NoteBasis } from '../classify/classification.ts';
import type { Target } from '../targets/target.ts';
import { isWholeTarget } from '../targets/target.ts';
import type { ChunkState, Consent, QueuedChunk } from './queued-chunk.ts';
import { destinationOf, mediumFrom } from './queued-chunk.ts';

export type NewChunk = Omit<QueuedChunk, 'ordinal' | 'consent'>;

/** The chunks to select. An omitted property does not filter. */
export interface ChunkFilter {
  readonly states: readonly ChunkState[];
  /** By where they would go now. */
  readonly target?: Target;
  readonly confidenceFrom?: number;
  readonly confidenceBelow?: number;
  /** Only low confidence and UNCLEAR: the classifier can be certain that a chunk says nothing. */
  readonly doubtful?: true;
  /** Only this one. */
  readonly id?: string;
}

type Row = Record<string, string | number | null>;

export function addChunk(database: DatabaseSync, chunk: NewChunk): void {
  database
    .prepare(
      `insert into chunk (id, source, kind, part, headings, spans, text, tags, proposed, confidence, reasons, alternatives,
         state, chosen, replaces, text_hash, basis) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      chunk.id,
      chunk.source,
      chunk.kind,
      chunk.part,
      JSON.stringify(chunk.headings),
      JSON.stringify(chunk.spans),
      chunk.text,
      JSON.stringify(chunk.tags),
      chunk.proposed,
      chunk.confidence,
      JSON.stringify(chunk.reasons),
      JSON.stringify(chunk.alternatives),
      chunk.state,
      chunk.chosen,
      chunk.replaces,
      textHash(chunk.text),
      chunk.basis,
    );
}

/** Line endings and blank lines around it make no other text. */
export function comparableText(text: string): string {
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).trim();
}

function textHash(text: string): string {
  const hash = createHash('sha256');
  for (const piece of textPieces(comparableText(text))) hash.update(piece);
  return hash.digest('hex');
}

/** True where the same text is committed to the same target already, from wherever it came. */
export function hasCommittedDuplicate(database: DatabaseSync, chunk: QueuedChunk): boolean {
  const sameSource = isWholeTarget(destinationOf(chunk)) ? chunk.source : null;
  const row = database
    .prepare(
      `select 1 from chunk where text_hash = ? and id <> ? and state = 'committed' and ${isCurrent}
         and coalesce(chosen, proposed) = ? and source = coalesce(?, source) limit 1`,
    )
    .get(textHash(chunk.text), chunk.id, destinationOf(chunk), sameSource);
  return row !== undefined;
}

/** For chunks that were never committed and that the source has replaced by a newer version or removed. */
export function deleteChunk(database: DatabaseSync, id: string): void {
  database.prepare("delete from chunk where id = ? and state <> 'committed'").run(id);
  database
    .prepare(
      'delete from scanned_proposal where chunk = ?1 and not exists (select 1 from chunk where id = ?1)',
    )
    .run(id);
}

/** True where another file is cut into the same chunk. */
export function isShared(database: DatabaseSync, id: string): boolean {
  return database.prepare('select 1 from file_chunk where chunk = ?').get(id) !== undefined;
}

export function isAnyCommitted(database: DatabaseSync, ids: readonly string[]): boolean {
  const row = database
    .prepare(
      "select 1 from chunk where state = 'committed' and id in (select value from json_each(?)) limit 1",
    )
    .get(JSON.stringify(ids));
  return row !== undefined;
}

/** Read in pages by ordinal, so that the caller may change states on the way. */
export function* readChunks(database: DatabaseSync, filter: ChunkFilter): Generator<QueuedChunk> {
  const { where, values } = condition(filter);
  const select = database.prepare(
    `select * from chunk where ordinal > ? and ${where} order by ordinal limit 200`,
  );
  let after = 0;
  for (;;) {
    const rows = select.all(after, ...values) as Row[];
    for (const row of rows) yield toChunk(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last['ordinal']);
  }
}

export function countChunks(database: DatabaseSync, filter: ChunkFilter): number {
  const { where, values } = condition(filter);
  const row = database.prepare(`select count(*) as count from chunk where ${where}`).get(...values);
  return Number(row?.['count']);
}

/** By its id or by an unambiguous beginning of it. */
export function findChunk(database: DatabaseSync, id: string): QueuedChunk | 'ambiguous' | null {
  if (id.length >= idHexDigits) {
    const row = database.prepare('select * from chunk where id = ?').get(id);
    return row === undefined ? null : toChunk(row as Row);
  }
  const rows = database
    .prepare('select * from chunk where substr(id, 1, ?) = ? limit 2')
    .all(id.length, id.toLowerCase()) as Row[];
  if (rows.length > 1) return 'ambiguous';
  return rows[0] === undefined ? null : toChunk(rows[0]);
}

export function decideChunk(
  database: DatabaseSync,
  id: string,
  decision: { readonly state: ChunkState; readonly chosen: Target | null; readonly consent: Consent },
): void {
  database
    .prepare('update chunk set state = ?, chosen = ?, consent = ? where id = ?')
    .run(decision.state, decision.chosen, JSON.stringify(decision.consent), id);
}

/** Adds answers to those already given, and counts the chunks as approved. */
export function saveConsent(database: DatabaseSync, ids: readonly string[], consent: Consent): void {
  database
    .prepare(
      `update chunk set consent = json_patch(consent, ?), state = iif(chosen is null, 'approved', 'modified')
         where id in (select value from json_each(?))`,
    )
    .run(JSON.stringify(consent), JSON.stringify(ids));
}

export function saveRejection(database: DatabaseSync, ids: readonly string[]): void {
  database
    .prepare("update chunk set state = 'rejected' where id in (select value from json_each(?))")
    .run(JSON.stringify(ids));
}

export function markApproved(database: DatabaseSync, ids: readonly string[]): void {
  database
    .prepare(
      `update chunk set state = iif(chosen is null, 'approved', 'modified')
         where id in (select value from json_each(?))`,
    )
    .run(JSON.stringify(ids));
}

export function markCommitted(database: DatabaseSync, ids: readonly string[], run: string): void {
  database
    .prepare("update chunk set state = 'committed', run = ? where id in (select value from json_each(?))")
    .run(run, JSON.stringify(ids));
}

/** True where a newer version has taken its place in the knowledge base. */
export function isSuperseded(database: DatabaseSync, id: string): boolean {
  const row = database.prepare("select 1 from chunk where replaces = ? and state = 'committed'").get(id);
  return row !== undefined;
}

/** As SQL, of a row of `chunk`: no newer version has taken its place in the knowledge base. */
export const isCurrent =
  "not exists (select 1 from chunk newer where newer.replaces = chunk.id and newer.state = 'committed')";

/** What was rejected is pending again. */
export function restoreChunk(database: DatabaseSync, id: string): void {
  database
    .prepare(
      "update chunk set state = iif(coalesce(chosen, proposed) = 'UNCLEAR', 'unclear', 'scanned') where id = ? and state = 'rejected'",
    )
    .run(id);
}

/**
 * After an undo a chunk is as it was when it was scanned: all answers of the user about it are deleted. If a newer
 * version of it is pending, only that one remains.
 */
export function reopenChunk(database: DatabaseSync, id: string): void {
  if (isSuperseded(database, id)) return;
  const { changes } = database.prepare('update chunk set replaces = null where replaces = ?').run(id);
  if (Number(changes) > 0 && !isShared(database, id)) {
    database.prepare('delete from chunk where id = ?').run(id);
    return;
  }
  database
    .prepare(
      `update chunk set state = iif(proposed = 'UNCLEAR', 'unclear', 'scanned'), chosen = null, consent = '{}',
         run = null where id = ? and state = 'committed'`,
    )
    .run(id);
}

function condition(filter: ChunkFilter): {
  readonly where: string;
  readonly values: readonly SQLInputValue[];
} {
  const parts = [`state in (${filter.states.map(() => '?').join(', ')})`];
  const values: SQLInputValue[] = [...filter.states];
  if (filter.target !== undefined) {
    parts.push('coalesce(chosen, proposed) = ?');
    values.push(filter.target);
  }
  if (filter.confidenceFrom !== undefined) {
    parts.push('confidence >= ?');
    values.push(filter.confidenceFrom);
  }
  if (filter.confidenceBelow !== undefined) {
    parts.push('confidence < ?');
    values.push(filter.confidenceBelow);
  }
  if (filter.doubtful === true) {
    parts.push("(confidence < ? or coalesce(chosen, proposed) = 'UNCLEAR')");
    values.push(mediumFrom);
  }
  if (filter.id !== undefined) {
    parts.push('id = ?');
    values.push(filter.id);
  }
  return { where: parts.join(' and '), values };
}

function toChunk(row: Row): QueuedChunk {
  const text = (column: string): string => String(row[column]);
  const json = <T>(column: string): T => JSON.parse(text(column)) as T;
  return {
    ordinal: Number(row['ordinal']),
    id: text('id'),
    source: text('source'),
    kind: text('kind'),
    part: text('part') as QueuedChunk['part'],
    headings: json('headings'),
    spans: json('spans'),
    text: text('text'),
    tags: json('tags'),
    proposed: text('proposed') as Target,
    confidence: Number(row['confidence']),
    reasons: json('reasons'),
    alternatives: json('alternatives'),
    state: text('state') as ChunkState,
    chosen: row['chosen'] === null ? null : (text('chosen') as Target),
    consent: json('consent'),
    replaces: row['replaces'] === null ? null : text('replaces'),
    basis: (row['basis'] ?? null) as NoteBasis | null,
  };
}
