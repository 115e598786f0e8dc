import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ItemFilter, ListedItem } from '../reading/item-reading-store.ts';

/** What a saved search is compared with. */
export interface ComparedItem {
  readonly id: Id<'item'>;
  readonly sourceId: Id<'source'>;
  readonly category: string;
  /** A primary language. */
  readonly language: string | null;
  readonly selected: boolean;
  readonly timelineAt: EpochMicroseconds;
  readonly storyId: Id<'story'> | null;
  /** Independent sources of its story; 1 without a story. */
  readonly sourceCount: number;
  readonly searchText: string;
  readonly searchGrams: readonly number[];
}

/** Items and stories that changed, in the order of the public log. */
export interface LoggedChanges {
  /** The next entry to read. */
  readonly next: bigint;
  /** As they are now, with those of stories that were opened, merged or split; without those that were withdrawn or have left the window. */
  readonly items: readonly ComparedItem[];
  /** Those of them whose publication is among the entries. */
  readonly published: readonly Id<'item'>[];
  /** The stories of these items, under each id that they have had. */
  readonly stories: readonly CountedStory[];
}

export interface CountedStory {
  readonly id: Id<'story'>;
  readonly sourceCount: number;
}

interface Row {
  readonly id: string;
  readonly source_id: string;
  readonly category: string;
  readonly language: string | null;
  readonly selected: boolean;
  readonly timeline_at: string;
  readonly story_id: string | null;
  readonly source_count: number | null;
  readonly search_text: string;
  readonly search_grams: number[];
}

const comparedColumns = sql`part.id::text, item.source_id::text, item.category, part.language, item.selected,
  item.timeline_at, item.story_id::text, story.source_count, part.search_text, part.search_grams`;

/** Null if the log has no further entries. */
export async function readLoggedChanges(
  database: Database,
  from: bigint,
  entriesMax: number,
): Promise<LoggedChanges | null> {
  const { rows } = await sql<
    Row & { readonly last_leaf: string; readonly is_published: boolean }
  >`${preparedAs('read-logged-changes')}
    WITH entry AS (
      SELECT leaf_index, action, CASE WHEN kind = 'item' THEN subject::uuid END AS item_id,
        CASE WHEN kind = 'story' AND action IN ('opened', 'merged', 'split') THEN subject::uuid END AS story_id
      FROM record.log_entry WHERE leaf_index >= (SELECT ${from.toString()}::bigint) ORDER BY leaf_index LIMIT (SELECT ${entriesMax}::integer)
    ), changed AS (
      SELECT id, bool_or(is_published) AS is_published FROM (
        SELECT item_id AS id, action = 'published' AS is_published FROM entry WHERE item_id IS NOT NULL
        UNION ALL
        -- Items that came into a story with it.
        SELECT item.id, false FROM entry JOIN record.story ON story.id = entry.story_id
        JOIN record.item ON item.story_id = coalesce(story.merged_into, story.id)
      ) AS one GROUP BY id
    )
    SELECT last.leaf_index::text AS last_leaf, compared.*
    FROM (SELECT max(leaf_index) AS leaf_index FROM entry) AS last
    LEFT JOIN (
      SELECT ${comparedColumns}, changed.is_published FROM changed
      JOIN record.item ON item.id = changed.id AND item.withdrawn_at IS NULL
      JOIN record.window_item AS part ON part.discovered_at = item.discovered_at AND part.id = item.id
      LEFT JOIN record.story ON story.id = item.story_id
    ) AS compared ON true
    WHERE last.leaf_index IS NOT NULL`.execute(database);
  const [first] = rows;
  if (first === undefined) return null;
  const present = rows.filter(({ id }) => (id as string | null) !== null);
  const items = present.map(comparedItem);
  return {
    next: BigInt(first.last_leaf) + 1n,
    items,
    published: present.filter((row) => row.is_published).map(({ id }) => id as Id<'item'>),
    stories: await readCountedStories(database, [...new Set(items.map(({ storyId }) => storyId))]),
  };
}

async function readCountedStories(
  database: Database,
  ids: readonly (string | null)[],
): Promise<readonly CountedStory[]> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return [];
  const { rows } = await sql<{ id: string; source_count: number }>`${preparedAs('read-counted-stories')}
    SELECT alias.id, survivor.source_count FROM record.story AS alias
    JOIN record.story AS survivor ON survivor.id = coalesce(alias.merged_into, alias.id)
    WHERE alias.id = ANY (${known}::uuid[]) OR alias.merged_into = ANY (${known}::uuid[])`.execute(database);
  return rows.map((row) => ({ id: row.id as Id<'story'>, sourceCount: row.source_count }));
}

function comparedItem(row: Row): ComparedItem {
  return {
    id: row.id as Id<'item'>,
    sourceId: row.source_id as Id<'source'>,
    category: row.category,
    language: row.language,
    selected: row.selected,
    timelineAt: fromTimestamptz(row.timeline_at),
    storyId: row.story_id as Id<'story'> | null,
    sourceCount: row.source_count ?? 1,
    searchText: row.search_text,
    searchGrams: row.search_grams,
  };
}

export interface ComparedItemsRequest extends Pick<
  ItemFilter,
  'mode' | 'category' | 'sourceId' | 'language'
> {
  /** Grams that every wanted item contains; may be empty. */
  readonly grams: readonly number[];
  readonly rowsMax: number;
}

/** The newest items of the window that may match. */
export async function readComparedItems(
  database: Database,
  { mode, category, sourceId, language, grams, rowsMax }: ComparedItemsRequest,
): Promise<readonly ComparedItem[]> {
  const conditions = [
    sql`item.withdrawn_at IS NULL`,
    ...(mode === 'selected' ? [sql`part.selected`] : []),
    ...(category === null ? [] : [sql`part.category = ${category}`]),
    ...(sourceId === null ? [] : [sql`part.source_id = ${sourceId}::uuid`]),
    ...(language === null ? [] : [sql`part.language = ${language}`]),
    ...(grams.length === 0 ? [] : [sql`part.search_grams @> ${[...grams]}::integer[]`]),
  ];
  const { rows } = await sql<Row>`
    SELECT ${comparedColumns} FROM record.window_item AS part
    JOIN record.item ON item.id = part.id
    LEFT JOIN record.story ON story.id = item.story_id
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY part.timeline_key DESC, part.id DESC LIMIT ${rowsMax}`.execute(database);
  return rows.map(comparedItem);
}

/** Those of these items that were not withdrawn, in no order. */
export async function readStandingItems(
  database: Database,
  ids: readonly string[],
): Promise<readonly Omit<ListedItem, 'key'>[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; body: string; story_id: string | null }>`
    SELECT id, body, story_id FROM record.item
    WHERE id = ANY (${[...ids]}::uuid[]) AND withdrawn_at IS NULL`.execute(database);
  return rows.map((row) => ({
    id: row.id as Id<'item'>,
    body: row.body,
    storyId: row.story_id as Id<'story'> | null,
  }));
}
