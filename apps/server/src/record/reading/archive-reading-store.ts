import { sql } from 'kysely';

import type { CursorPosition } from '../../foundation/cursor.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ItemSpan, ListedItem } from './item-reading-store.ts';

export interface ArchiveFilter {
  readonly category: string | null;
  readonly sourceId: Id<'source'> | null;
  /** A primary language such as `en` or `zh`. */
  readonly language: string | null;
  readonly storyId: Id<'story'> | null;
}

export interface ArchiveSlice {
  readonly filter: ArchiveFilter;
  readonly span: ItemSpan;
  /** Rows after this one; null for the first page. */
  readonly position: CursorPosition<'item'> | null;
  /** Only items with all of these words, by the index of words; null: any. */
  readonly words: string | null;
  /** How many selected items are read, whether they match the filter or not. */
  readonly rowsMax: number;
}

/** A selected item that was read; `match` is null where a filter excludes it. */
export interface ArchiveRow extends CursorPosition<'item'> {
  readonly match: (ListedItem & { readonly fields: readonly (string | null)[] }) | null;
}

export interface ArchiveRows {
  readonly rows: readonly ArchiveRow[];
  /** When the oldest selected item was received; null in an empty archive. */
  readonly oldestAt: EpochMicroseconds | null;
}

interface Row {
  readonly oldest_at: string | null;
  readonly id: string | null;
  readonly key: string;
  readonly matches: boolean;
  readonly body: string | null;
  readonly story_id: string | null;
  readonly title: string | null;
  readonly original_title: string | null;
  readonly summary: string | null;
  readonly source_name: string | null;
}

const at = (instant: EpochMicroseconds) => sql`${toTimestamptz(instant)}::timestamptz`;

/**
 * The newest selected items of a span, by the time they were received. An index brings them in this order for all
 * sources, one source or one story; the other filters are applied to the rows that it brought. With words, their index
 * brings the items of one slice of 30 days after the other. So a request reads at most `rowsMax` items, or those with its
 * words in as many slices as they need, whatever the size of the archive and however rare its matches are.
 */
export async function readArchiveRows(database: Database, slice: ArchiveSlice): Promise<ArchiveRows> {
  const { category, language } = slice.filter;
  const matching = [
    sql`true`,
    ...(category === null ? [] : [sql`item.category = ${category}`]),
    ...(language === null ? [] : [sql`split_part(item.language, '-', 1) = ${language}`]),
  ];
  const { rows } = await sql<Row>`
    SELECT oldest.at AS oldest_at, looked.* FROM (
      SELECT (SELECT discovered_at FROM record.item WHERE selected ORDER BY discovered_at LIMIT 1) AS at
    ) AS oldest LEFT JOIN LATERAL (
      SELECT item.id, item.discovered_at AS key, matches,
        CASE WHEN matches THEN item.body END AS body, item.story_id,
        CASE WHEN matches THEN item.title END AS title,
        CASE WHEN matches THEN item.original_title END AS original_title,
        CASE WHEN matches THEN item.summary END AS summary, source.name AS source_name
      FROM (
        SELECT item.*, coalesce(${sql.join(matching, sql` AND `)}, false) AS matches
        FROM ${slice.words === null ? newestItems(slice) : newestItemsWith(slice, slice.words)} AS item
      ) AS item JOIN record.source ON source.id = item.source_id
    ) AS looked ON true
    ORDER BY looked.key DESC, looked.id DESC`.execute(database);
  const oldestAt = rows[0]?.oldest_at ?? null;
  return {
    rows: rows.flatMap((row) => (row.id === null ? [] : [archiveRow(row, row.id as Id<'item'>)])),
    oldestAt: oldestAt === null ? null : fromTimestamptz(oldestAt),
  };
}

function conditions({ filter: { sourceId, storyId }, span, position }: ArchiveSlice) {
  const all = [
    sql`item.discovered_at > ${at(span.after)} AND item.discovered_at <= ${at(span.until)}`,
    ...(sourceId === null ? [] : [sql`item.source_id = ${sourceId}::uuid`]),
    ...(storyId === null ? [] : [sql`item.story_id = ${storyId}::uuid`]),
    ...(position === null
      ? []
      : [sql`(item.discovered_at, item.id) < (${at(position.key)}, ${position.id}::uuid)`]),
  ];
  return sql.join(all, sql` AND `);
}

function newestItems(slice: ArchiveSlice) {
  return sql`(
    SELECT item.* FROM record.item WHERE item.selected AND ${conditions(slice)}
    ORDER BY item.discovered_at DESC, item.id DESC LIMIT ${slice.rowsMax})`;
}

/** OFFSET 0: without it, PostgreSQL may read every item of the time and compute its words. */
function newestItemsWith(slice: ArchiveSlice, words: string) {
  return sql`(
    SELECT item.* FROM (
      SELECT found.id FROM (SELECT record.search_words(${words}) AS words OFFSET 0) AS searched
      CROSS JOIN LATERAL generate_series(
        record.archive_slice(${at(slice.span.until)}), record.archive_slice(${at(slice.span.after)}), -1) AS place
      CROSS JOIN LATERAL (
        SELECT item.id FROM (
          SELECT one.id, one.discovered_at, one.source_id, one.story_id FROM record.item AS one
          WHERE one.selected AND record.archive_words(one.discovered_at, one.title, one.original_title, one.summary)
            @> (SELECT array_agg(place || ':' || word) FROM unnest(searched.words) AS word)
          OFFSET 0
        ) AS item
        WHERE ${conditions(slice)}
        ORDER BY item.discovered_at DESC, item.id DESC
      ) AS found
      LIMIT ${slice.rowsMax}
    ) AS found JOIN record.item ON item.id = found.id)`;
}

/** Those of these terms that the name of a source contains. */
export async function termsInSourceNames(
  database: Database,
  terms: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ term: string }>`
    SELECT term FROM unnest(${[...terms]}::text[]) AS term
    WHERE EXISTS (
      SELECT FROM record.source WHERE position(term IN lower(normalize(source.name, NFKC))) > 0)`.execute(
    database,
  );
  return new Set(rows.map(({ term }) => term));
}

function archiveRow(row: Row, id: Id<'item'>): ArchiveRow {
  const key = fromTimestamptz(row.key);
  const { body, title, original_title, summary, source_name } = row;
  if (!row.matches || body === null) return { key, id, match: null };
  const fields = [title, original_title, summary, source_name];
  return { key, id, match: { key, id, body, storyId: row.story_id as Id<'story'> | null, fields } };
}
