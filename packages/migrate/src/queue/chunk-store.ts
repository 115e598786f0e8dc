import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { Remainder } from '../chunks/chunk.ts';
import type { Target } from '../targets/target.ts';
import type { ChunkState, Consent, QueuedChunk } from './queued-chunk.ts';

export type NewChunk = Omit<QueuedChunk, 'ordinal' | 'chosen' | 'consent'>;

/** Which chunks to go through. Everything that is left out is not asked for. */
export interface ChunkFilter {
  readonly states: readonly ChunkState[];
  /** By where they would go now. */
  readonly target?: Target;
  readonly confidenceFrom?: number;
  readonly confidenceBelow?: number;
}

type Row = Record<string, string | number | null>;

/** Adds what is not there yet and says whether it was. */
export function chunkAdder(database: DatabaseSync): (chunk: NewChunk) => boolean {
  const insert = database.prepare(
    `insert into chunk (id, source, kind, headings, start_byte, end_byte, text, tags, proposed, confidence, reasons,
       alternatives, state) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
  );
  return (chunk) => {
    const { changes } = insert.run(
      chunk.id,
      chunk.source,
      chunk.kind,
      JSON.stringify(chunk.headings),
      chunk.startByte,
      chunk.endByte,
      chunk.text,
      JSON.stringify(chunk.tags),
      chunk.proposed,
      chunk.confidence,
      JSON.stringify(chunk.reasons),
      JSON.stringify(chunk.alternatives),
      chunk.state,
    );
    return Number(changes) > 0;
  };
}

export function hasChunk(database: DatabaseSync): (id: string) => boolean {
  const select = database.prepare('select 1 from chunk where id = ?');
  return (id) => select.get(id) !== undefined;
}

export function remainderAdder(database: DatabaseSync): (source: string, remainder: Remainder) => void {
  const insert = database.prepare('insert or replace into remainder values (?, ?, ?, ?)');
  return (source, { kind, start, end }) => {
    insert.run(source, kind, start, end);
  };
}

export function notedAdder(database: DatabaseSync): (kind: string, name: string) => void {
  const insert = database.prepare('insert or replace into noted (name, kind) values (?, ?)');
  return (kind, name) => {
    insert.run(name, kind);
  };
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

export function markCommitted(database: DatabaseSync, ids: readonly string[], run: string): void {
  const update = database.prepare("update chunk set state = 'committed', run = ? where id = ?");
  for (const id of ids) update.run(run, id);
}

/** After an undo a chunk is as it was when it was scanned: nothing the person said about it stands any more. */
export function reopenChunk(database: DatabaseSync, id: string): void {
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
    headings: json('headings'),
    startByte: Number(row['start_byte']),
    endByte: Number(row['end_byte']),
    text: text('text'),
    tags: json('tags'),
    proposed: text('proposed') as Target,
    confidence: Number(row['confidence']),
    reasons: json('reasons'),
    alternatives: json('alternatives'),
    state: text('state') as ChunkState,
    chosen: row['chosen'] === null ? null : (text('chosen') as Target),
    consent: json('consent'),
  };
}
