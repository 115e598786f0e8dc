import { sql } from 'kysely';

import type { CopyConnection, CopyValue } from '../foundation/database/copy-in.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id } from '../foundation/ids.ts';
import { bodyVersion } from './items/item-body.ts';
import type { Item } from './items/item.ts';
import { composeSearch, primaryLanguage, publishedKeyOf } from './items/item.ts';
import type { ReadingGroup } from './items/reading-group-store.ts';
import type { WindowRow } from './items/window-store.ts';

export type NewGroup = ReadingGroup;

/** Answers which of them were not there before. */
export async function insertGroups(
  database: Database,
  groups: readonly NewGroup[],
): Promise<ReadonlySet<Id<'reading-group'>>> {
  const { rows } = await sql<{ id: Id<'reading-group'> }>`
    INSERT INTO record.reading_group (id, first_appeared_at, representative_id)
    SELECT * FROM unnest(
      ${groups.map(({ id }) => id)}::uuid[],
      ${groups.map(({ firstAppearedAt }) => toTimestamptz(firstAppearedAt))}::timestamptz[],
      ${groups.map(({ representativeId }) => representativeId)}::uuid[])
    ON CONFLICT DO NOTHING RETURNING id`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Works out first appearances and representatives from the archive, and moves the representatives' keys. Group by group,
 * through the index: in a first load the planner knows nothing of the archive yet and would read all of it each time.
 */
export async function recomputeGroups(
  database: Database,
  ids: readonly Id<'reading-group'>[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE record.reading_group AS grouped
    SET first_appeared_at = counted.first, representative_id = counted.representative
    FROM unnest(${[...ids]}::uuid[]) AS asked (id), LATERAL (
      SELECT min(timeline_at) AS first, (array_agg(id) FILTER (WHERE selected))[1] AS representative
      FROM record.item WHERE group_id = asked.id AND withdrawn_at IS NULL HAVING count(*) > 0
    ) AS counted
    WHERE grouped.id = asked.id`.execute(database);
  await sql`
    UPDATE record.window_item AS shown SET timeline_key = grouped.first_appeared_at
    FROM record.item JOIN record.reading_group AS grouped ON grouped.id = item.group_id
    WHERE item.group_id = ANY (${[...ids]}::uuid[]) AND item.selected
      AND shown.id = item.id AND shown.discovered_at = item.discovered_at
      AND shown.timeline_key <> grouped.first_appeared_at`.execute(database);
}

const itemColumns = [
  'id',
  'source_id',
  'group_id',
  'story_id',
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

export async function copyItems(
  connection: CopyConnection,
  items: readonly { readonly item: Item; readonly body: string; readonly digest: Buffer | null }[],
): Promise<void> {
  const rows = items.map(({ item, body, digest }): readonly CopyValue[] => [
    item.id,
    item.sourceId,
    item.groupId,
    item.storyId,
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

/** Answers how to make it again. Only the owner may. */
export async function dropSearchIndex(owner: Database): Promise<string> {
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_indexdef('record.window_item_search'::regclass) AS definition`.execute(owner);
  const [index] = rows;
  if (index === undefined) throw new Error('there is no search index');
  await sql`DROP INDEX record.window_item_search`.execute(owner);
  // PostgreSQL describes the index of the partitioned table alone; it is wanted on every partition.
  return index.definition.replace(' ON ONLY ', ' ON ');
}

export async function createSearchIndex(owner: Database, definition: string): Promise<void> {
  await sql.raw(definition).execute(owner);
}
