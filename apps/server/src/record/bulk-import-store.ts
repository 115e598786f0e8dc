import { sql } from 'kysely';

import type { CopyConnection, CopyValue } from '../foundation/database/copy-in.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import { bodyVersion } from './items/item-body.ts';
import type { ComposedItem } from './items/item-store.ts';
import { composeSearch, primaryLanguage, publishedKeyOf } from './items/item.ts';
import type { WindowRow } from './items/window-store.ts';

const itemColumns = [
  'id',
  'source_id',
  'group_id',
  'story_id',
  'voice',
  'title',
  'original_title',
  'language',
  'summary',
  'category',
  'original_url',
  'published_at',
  'discovered_at',
  'timeline_at',
  'score',
  'selected',
  'reason',
  'body',
  'body_version',
  'digest',
];

export async function copyItems(connection: CopyConnection, items: readonly ComposedItem[]): Promise<void> {
  const rows = items.map(({ item, body, digest }): readonly CopyValue[] => [
    item.id,
    item.sourceId,
    item.groupId,
    item.storyId,
    item.voice,
    item.title,
    item.originalTitle,
    item.language,
    item.summary,
    item.category,
    item.originalUrl,
    item.publishedAt === null ? null : toTimestamptz(item.publishedAt),
    toTimestamptz(item.discoveredAt),
    toTimestamptz(item.timelineAt),
    item.score,
    item.selected,
    item.reason,
    body,
    bodyVersion,
    digest,
  ]);
  await connection.copyInto({ table: 'record.item', columns: itemColumns }, rows);
}

const windowColumns = [
  'id',
  'discovered_at',
  'timeline_key',
  'published_key',
  'source_id',
  'story_id',
  'language',
  'category',
  'selected',
  'body',
  'search_text',
  'search_grams',
];

export async function copyWindowItems(
  connection: CopyConnection,
  shown: readonly WindowRow[],
): Promise<void> {
  const rows = shown.map(({ item, body, timelineKey }): readonly CopyValue[] => {
    const { searchText, searchGrams } = composeSearch(item);
    return [
      item.id,
      toTimestamptz(item.discoveredAt),
      toTimestamptz(timelineKey),
      toTimestamptz(publishedKeyOf(item)),
      item.sourceId,
      item.storyId,
      primaryLanguage(item.language),
      item.category,
      item.selected,
      body,
      searchText,
      searchGrams,
    ];
  });
  if (rows.length > 0)
    await connection.copyInto({ table: 'record.window_item', columns: windowColumns }, rows);
}

/** Returns the statement that creates the index again. Requires the owner's login. */
export async function dropSearchIndex(owner: Database): Promise<string> {
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_indexdef('record.window_item_search'::regclass) AS definition`.execute(owner);
  const [index] = rows;
  if (index === undefined) throw new Error('the search index does not exist');
  await sql`DROP INDEX record.window_item_search`.execute(owner);
  // PostgreSQL describes the index of the partitioned table alone; every partition needs it.
  return index.definition.replace(' ON ONLY ', ' ON ');
}

export async function createSearchIndex(owner: Database, definition: string): Promise<void> {
  await sql.raw(definition).execute(owner);
}
