import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { CursorPosition } from '../../foundation/cursor.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

export interface ItemFilter {
  readonly mode: 'selected' | 'all';
  readonly category: string | null;
  readonly sourceId: Id<'source'> | null;
  /** A primary language such as `en` or `zh`. */
  readonly language: string | null;
  /** Which time defines span and order. */
  readonly by: 'timeline' | 'published';
}

/** `after < key ≤ until`. */
export interface ItemSpan {
  readonly after: EpochMicroseconds;
  readonly until: EpochMicroseconds;
}

export interface ItemsRequest {
  readonly filter: ItemFilter;
  readonly span: ItemSpan;
  /** Rows after this one; null for the first page. */
  readonly position: CursorPosition<'item'> | null;
  readonly rowsMax: number;
}

/** An item of the window, ordered by its sort key. */
export interface ListedItem {
  readonly key: EpochMicroseconds;
  readonly id: Id<'item'>;
  readonly body: string;
  readonly storyId: Id<'story'> | null;
}

/** One index scan per daily partition, merged: reads only about `rowsMax` rows, whatever the depth of the page. */
export async function readItemRows(
  database: Database,
  request: ItemsRequest,
): Promise<readonly ListedItem[]> {
  // No key is later than discovered_at, so partitions that end before the window are skipped.
  const discovered = sql`discovered_at > ${instant(request.span.after)}`;
  return readRows(database, request, [discovered]);
}

/** One of several searches. */
interface ItemQuery {
  /** An item must match all of them. */
  readonly patterns: readonly string[];
  /** Of these; empty if the index cannot be used. */
  readonly grams: readonly number[];
}

export interface QueryMatch extends ListedItem {
  /** The place of the query. */
  readonly query: number;
}

/**
 * For each query, matches among the newest `rowsLooked` rows of the request (null: among all). The rows are read once for
 * all queries, and so are their texts: a concatenation is not stored compressed.
 */
export async function walkItemRowsForEach(
  database: Database,
  request: ItemsRequest,
  queries: readonly ItemQuery[],
  rowsLooked: number | null,
): Promise<readonly QueryMatch[]> {
  const key = keyColumn(request.filter);
  return matches(
    database,
    sql<MatchRow>`
      WITH newest AS MATERIALIZED (
        SELECT ${key} AS key, id, body, story_id, search_text || '' AS plain_text FROM record.window_item
        WHERE discovered_at > ${instant(request.span.after)} AND ${conditionsOf(request)}
        ORDER BY ${key} DESC, id DESC
        LIMIT ${rowsLooked}
      )
      SELECT wanted.place, found.* FROM ${wanted(queries)}
      CROSS JOIN LATERAL (
        SELECT key, id, body, story_id FROM newest WHERE plain_text LIKE ALL (wanted.patterns)
        ORDER BY key DESC, id DESC LIMIT ${request.rowsMax}
      ) AS found`,
  );
}

/** For each query, the newest matches among the items discovered since then. The index returns all of them to sort. */
export async function searchItemRowsForEach(
  database: Database,
  request: ItemsRequest,
  queries: readonly ItemQuery[],
  since: EpochMicroseconds,
): Promise<readonly QueryMatch[]> {
  const key = keyColumn(request.filter);
  return matches(
    database,
    sql<MatchRow>`
      SELECT wanted.place, found.* FROM ${wanted(queries)}
      CROSS JOIN LATERAL (
        SELECT ${key} AS key, id, body, story_id FROM record.window_item
        WHERE search_grams @> wanted.grams AND search_text LIKE ALL (wanted.patterns)
          AND discovered_at > ${instant(since)} AND ${conditionsOf(request)}
        ORDER BY ${key} DESC, id DESC LIMIT ${request.rowsMax}
      ) AS found`,
  );
}

function wanted(queries: readonly ItemQuery[]): RawBuilder<unknown> {
  return sql`(
    SELECT place, ARRAY(SELECT jsonb_array_elements_text(query -> 'patterns')) AS patterns,
      ARRAY(SELECT gram::integer FROM jsonb_array_elements_text(query -> 'grams') AS gram) AS grams
    FROM jsonb_array_elements(${JSON.stringify(queries)}::jsonb) WITH ORDINALITY AS one (query, place) OFFSET 0
  ) AS wanted`;
}

async function matches(database: Database, found: RawBuilder<MatchRow>): Promise<readonly QueryMatch[]> {
  const { rows } = await found.execute(database);
  return rows.map(({ place, ...row }) => ({ query: Number(place) - 1, ...listedItem(row) }));
}

interface MatchRow extends ListedRow {
  readonly place: bigint;
}

async function readRows(
  database: Database,
  request: ItemsRequest,
  further: readonly RawBuilder<unknown>[],
): Promise<readonly ListedItem[]> {
  const key = keyColumn(request.filter);
  return listed(
    database,
    sql<ListedRow>`
      SELECT ${key} AS key, id, body, story_id FROM record.window_item
      WHERE ${sql.join(further, sql` AND `)} AND ${conditionsOf(request)}
      ORDER BY ${key} DESC, id DESC
      LIMIT ${request.rowsMax}`,
  );
}

async function listed(database: Database, page: RawBuilder<ListedRow>): Promise<readonly ListedItem[]> {
  const { rows } = await page.execute(database);
  return rows.map(listedItem);
}

function listedItem({ key, id, body, story_id }: ListedRow): ListedItem {
  return {
    key: fromTimestamptz(key),
    id: id as Id<'item'>,
    body,
    storyId: story_id as Id<'story'> | null,
  };
}

interface ListedRow {
  readonly key: string;
  readonly id: string;
  readonly body: string;
  readonly story_id: string | null;
}

function keyColumn({ by }: ItemFilter): RawBuilder<unknown> {
  return sql.ref(by === 'published' ? 'published_key' : 'timeline_key');
}

function conditionsOf({ filter, span, position }: ItemsRequest): RawBuilder<unknown> {
  const key = keyColumn(filter);
  const conditions = [
    sql`${key} > ${instant(span.after)}`,
    sql`${key} <= ${instant(span.until)}`,
    ...(filter.mode === 'selected' ? [sql`selected`] : []),
    ...(filter.category === null ? [] : [sql`category = ${filter.category}`]),
    ...(filter.sourceId === null ? [] : [sql`source_id = ${filter.sourceId}::uuid`]),
    ...(filter.language === null ? [] : [sql`language = ${filter.language}`]),
    ...(position === null ? [] : [sql`(${key}, id) < (${instant(position.key)}, ${position.id}::uuid)`]),
  ];
  return sql.join(conditions, sql` AND `);
}

function instant(value: EpochMicroseconds): RawBuilder<unknown> {
  return sql`${toTimestamptz(value)}::timestamptz`;
}

/** One item of any age. */
export type FoundItem =
  | ({ readonly state: 'standing' } & Pick<ListedItem, 'id' | 'body' | 'storyId'>)
  | { readonly state: 'withdrawn'; readonly withdrawnAt: EpochMicroseconds };

export async function readItem(database: Database, id: string): Promise<FoundItem | null> {
  const row = await database
    .selectFrom('record.item')
    .select(['id', 'body', 'story_id', 'withdrawn_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.withdrawn_at !== null)
    return { state: 'withdrawn', withdrawnAt: fromTimestamptz(row.withdrawn_at) };
  if (row.body === null) throw new Error(`item ${id} has no body`);
  const storyId = row.story_id as Id<'story'> | null;
  return { state: 'standing', id: row.id as Id<'item'>, body: row.body, storyId };
}
