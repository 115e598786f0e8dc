import { sql } from 'kysely';

import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { Item } from './item.ts';
import { composeSearch, primaryLanguage, publishedKeyOf } from './item.ts';

export const partitionsAhead = 3;
export const partitionsRetained = 8;

export interface PartitionChange {
  readonly action: 'made' | 'dropped' | 'busy';
  readonly partition: string;
}

/** Creates the partitions of the coming days and drops expired ones. */
export async function rollWindow(
  database: Database,
  now: EpochMicroseconds,
): Promise<readonly PartitionChange[]> {
  const { rows } = await sql<PartitionChange>`
    SELECT action, partition
    FROM record.roll_window(${utcDay(now)}::date, ${partitionsAhead}, ${partitionsRetained})`.execute(
    database,
  );
  return rows;
}

/** Days after today for which a partition exists. */
export async function countDaysAhead(database: Database, now: EpochMicroseconds): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    SELECT coalesce(max(to_date(right(c.relname, 8), 'YYYYMMDD')) - ${utcDay(now)}::date, 0)::int AS days
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'record.window_item'::regclass`.execute(database);
  return rows[0]?.days ?? 0;
}

/** The day whose partition contains the instant. */
export function utcDay(instant: EpochMicroseconds): string {
  return isoMilliseconds(instant).slice(0, 10);
}

/** Creates a missing partition between two attempts of the transaction, because this locks more than rows. */
export async function createPartitionAndRetry<Value>(
  now: EpochMicroseconds,
  inserting: Promise<Value>,
): Promise<Value> {
  try {
    return await inserting;
  } catch (error) {
    if (!isWindowMissing(error)) throw error;
    throw new ConcurrentChange('the window has no partition for this day yet', async (database) => {
      await rollWindow(database, now);
    });
  }
}

/** PostgreSQL reports a row without a partition as a violated check of the partitioned table. */
function isWindowMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23514' &&
    error.message.startsWith('no partition of relation "window_item"')
  );
}

export interface WindowRow {
  readonly item: Item;
  readonly body: string;
  readonly timelineKey: EpochMicroseconds;
}

export async function insertWindowItems(database: Database, rows: readonly WindowRow[]): Promise<void> {
  if (rows.length === 0) return;
  const each = <Value>(of: (item: Item) => Value): Value[] => rows.map(({ item }) => of(item));
  const searches = each(composeSearch);
  await sql`${preparedAs('insert-window-items')}
    INSERT INTO record.window_item (id, discovered_at, timeline_key, published_key, source_id, story_id, language,
      category, selected, body, search_text, search_grams)
    SELECT id, discovered_at, timeline_key, published_key, source_id, story_id, language, category, selected, body,
      search_text, search_grams::integer[]
    FROM unnest(
      ${each(({ id }) => id)}::uuid[],
      ${each(({ discoveredAt }) => toTimestamptz(discoveredAt))}::timestamptz[],
      ${rows.map(({ timelineKey }) => toTimestamptz(timelineKey))}::timestamptz[],
      ${each((item) => toTimestamptz(publishedKeyOf(item)))}::timestamptz[],
      ${each(({ sourceId }) => sourceId)}::uuid[],
      ${each(({ storyId }) => storyId)}::uuid[],
      ${each(({ language }) => primaryLanguage(language))}::text[],
      ${each(({ category }) => category)}::text[],
      ${each(({ selected }) => selected)}::boolean[],
      ${rows.map(({ body }) => body)}::text[],
      ${searches.map(({ searchText }) => searchText)}::text[],
      ${searches.map(({ searchGrams }) => `{${searchGrams.join()}}`)}::text[])
      AS shown (id, discovered_at, timeline_key, published_key, source_id, story_id, language, category, selected, body,
        search_text, search_grams)`.execute(database);
}

/** Moves representatives to where their group first appeared. The caller holds their locks. */
export async function updateTimelineKeys(
  database: Database,
  groupIds: readonly Id<'reading-group'>[],
): Promise<void> {
  if (groupIds.length === 0) return;
  await sql`
    UPDATE record.window_item AS shown SET timeline_key = grouped.first_appeared_at
    FROM record.item JOIN record.reading_group AS grouped ON grouped.id = item.group_id
    WHERE item.group_id = ANY(${[...groupIds]}::uuid[]) AND item.selected
      AND shown.id = item.id AND shown.discovered_at = item.discovered_at
      AND shown.timeline_key <> grouped.first_appeared_at`.execute(database);
}

export async function updateWindowItem(database: Database, row: WindowRow): Promise<void> {
  await database
    .updateTable('record.window_item')
    .set(shownColumns(row))
    .where('id', '=', row.item.id)
    .where('discovered_at', '=', toTimestamptz(row.item.discoveredAt))
    .execute();
}

/** The same facts in the current format; the sort key is unchanged. */
export async function updateWindowBody(database: Database, item: Item, body: string): Promise<void> {
  await database
    .updateTable('record.window_item')
    .set({ body, source_id: item.sourceId, language: primaryLanguage(item.language) })
    .where('id', '=', item.id)
    .where('discovered_at', '=', toTimestamptz(item.discoveredAt))
    .execute();
}

export async function deleteWindowItem(database: Database, item: Item): Promise<void> {
  await database
    .deleteFrom('record.window_item')
    .where('id', '=', item.id)
    .where('discovered_at', '=', toTimestamptz(item.discoveredAt))
    .execute();
}

function shownColumns({ item, body, timelineKey }: WindowRow) {
  const { searchText, searchGrams } = composeSearch(item);
  return {
    timeline_key: toTimestamptz(timelineKey),
    published_key: toTimestamptz(publishedKeyOf(item)),
    source_id: item.sourceId,
    story_id: item.storyId,
    language: primaryLanguage(item.language),
    category: item.category,
    selected: item.selected,
    body,
    search_text: searchText,
    search_grams: [...searchGrams],
  };
}
