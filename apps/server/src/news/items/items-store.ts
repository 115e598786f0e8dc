import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ItemPosition, ItemsQuery, ItemsSpan } from './items-query.ts';

export interface WindowRow {
  /** The sort key as PostgreSQL writes it. */
  readonly key: string;
  readonly id: string;
  readonly body: string;
}

export interface ItemsRequest {
  readonly query: ItemsQuery;
  readonly span: ItemsSpan;
  /** Rows after this one; null for the first page. */
  readonly position: ItemPosition | null;
  readonly rowsMax: number;
}

/** One index scan per daily partition, merged: only about `rowsMax` rows are touched however deep the page lies. */
export async function readItemRows(database: Database, request: ItemsRequest): Promise<readonly WindowRow[]> {
  // No key is later than discovered_at, so partitions that end before the window need not be looked at.
  const discovered = sql`discovered_at > ${instant(request.span.after)}`;
  return readRows(database, request, [discovered]);
}

export interface TimeSlice {
  readonly from: EpochMicroseconds;
  /** Null: without end. */
  readonly to: EpochMicroseconds | null;
}

export interface SearchSlice extends TimeSlice {
  /** Empty where the index cannot help. */
  readonly grams: readonly number[];
  readonly patterns: readonly string[];
}

/** Matches among the items discovered in one slice of time; where that is one partition, by its own statistics. */
export async function searchItemRows(
  database: Database,
  request: ItemsRequest,
  slice: SearchSlice,
): Promise<readonly WindowRow[]> {
  return readRows(database, request, [
    sql`discovered_at >= ${instant(slice.from)}`,
    ...(slice.to === null ? [] : [sql`discovered_at < ${instant(slice.to)}`]),
    ...(slice.grams.length === 0 ? [] : [sql`search_grams @> ${[...slice.grams]}::integer[]`]),
    sql`search_text LIKE ALL (${[...slice.patterns]}::text[])`,
  ]);
}

/** Matches among the newest `rowsLooked` rows of the request: the time index is walked, and no further than that. */
export async function walkItemRows(
  database: Database,
  request: ItemsRequest,
  patterns: readonly string[],
  rowsLooked: number,
): Promise<readonly WindowRow[]> {
  const key = keyColumn(request.query);
  const { rows } = await sql<WindowRow>`
    SELECT key, id, body FROM (
      SELECT ${key} AS key, id, body, search_text FROM record.window_item
      WHERE discovered_at > ${instant(request.span.after)} AND ${conditionsOf(request)}
      ORDER BY ${key} DESC, id DESC
      LIMIT ${rowsLooked}
    ) AS newest
    WHERE search_text LIKE ALL (${[...patterns]}::text[])
    ORDER BY key DESC, id DESC
    LIMIT ${request.rowsMax}`.execute(database);
  return rows;
}

async function readRows(
  database: Database,
  request: ItemsRequest,
  further: readonly RawBuilder<unknown>[],
): Promise<readonly WindowRow[]> {
  const key = keyColumn(request.query);
  const { rows } = await sql<WindowRow>`
    SELECT ${key} AS key, id, body FROM record.window_item
    WHERE ${sql.join(further, sql` AND `)} AND ${conditionsOf(request)}
    ORDER BY ${key} DESC, id DESC
    LIMIT ${request.rowsMax}`.execute(database);
  return rows;
}

function keyColumn({ by }: ItemsQuery): RawBuilder<unknown> {
  return sql.ref(by === 'published' ? 'published_key' : 'timeline_key');
}

function conditionsOf({ query, span, position }: ItemsRequest): RawBuilder<unknown> {
  const key = keyColumn(query);
  const conditions = [
    sql`${key} > ${instant(span.after)}`,
    sql`${key} <= ${instant(span.until)}`,
    ...(query.mode === 'selected' ? [sql`selected`] : []),
    ...(query.category === null ? [] : [sql`category = ${query.category}`]),
    ...(position === null ? [] : [sql`(${key}, id) < (${instant(position.key)}, ${position.id}::uuid)`]),
  ];
  return sql.join(conditions, sql` AND `);
}

function instant(value: EpochMicroseconds): RawBuilder<unknown> {
  return sql`${toTimestamptz(value)}::timestamptz`;
}
