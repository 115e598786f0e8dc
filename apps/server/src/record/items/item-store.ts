import type { RawBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { RecordItem } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import {
  fromTimestamptz,
  toTimestamptz,
  toTimestamptzOrNull,
} from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { LockOptions } from '../lock-order.ts';
import { bodyVersion } from './item-body.ts';
import type { Item } from './item.ts';
import { composeItem } from './item.ts';

/** As read under its lock, with the digest that is part of the set's hash. */
export interface StoredItem extends Item {
  readonly digest: Buffer | null;
}

export async function countItems(database: Database, ids: readonly Id<'item'>[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`${preparedAs('count-items')}
    SELECT count(*)::integer AS count FROM record.item WHERE id = ANY(${[...ids]}::uuid[])`.execute(database);
  return rows[0]?.count ?? 0;
}

/** An item with the values derived from its facts. */
export interface ComposedItem {
  readonly item: Item;
  readonly body: string;
  readonly digest: Buffer | null;
}

/** Returns the number of inserted rows; rows whose id exists are unchanged. */
export async function insertItems(database: Database, items: readonly ComposedItem[]): Promise<number> {
  const each = <Value>(of: (item: Item) => Value): Value[] => items.map(({ item }) => of(item));
  const { numAffectedRows = 0n } = await sql`${preparedAs('insert-items')}
    INSERT INTO record.item (id, source_id, group_id, story_id, voice, discovered_at, timeline_at, language, title,
      original_title, summary, category, original_url, published_at, score, selected, reason, text_removed, body, digest,
      body_version)
    SELECT item.*, ${bodyVersion}::smallint FROM unnest(
      ${each(({ id }) => id)}::uuid[],
      ${each(({ sourceId }) => sourceId)}::uuid[],
      ${each(({ groupId }) => groupId)}::uuid[],
      ${each(({ storyId }) => storyId)}::uuid[],
      ${each(({ voice }) => voice)}::text[],
      ${each(({ discoveredAt }) => toTimestamptz(discoveredAt))}::timestamptz[],
      ${each(({ timelineAt }) => toTimestamptz(timelineAt))}::timestamptz[],
      ${each(({ language }) => language)}::text[],
      ${each(({ title }) => title)}::text[],
      ${each(({ originalTitle }) => originalTitle)}::text[],
      ${each(({ summary }) => summary)}::text[],
      ${each(({ category }) => category)}::text[],
      ${each(({ originalUrl }) => originalUrl)}::text[],
      ${each(({ publishedAt }) => toTimestamptzOrNull(publishedAt))}::timestamptz[],
      ${each(({ score }) => score)}::smallint[],
      ${each(({ selected }) => selected)}::boolean[],
      ${each(({ reason }) => reason)}::text[],
      ${each(({ textRemoved }) => textRemoved ?? false)}::boolean[],
      ${items.map(({ body }) => body)}::text[],
      ${items.map(({ digest }) => digest)}::bytea[]) AS item
    ON CONFLICT (id) DO NOTHING`.execute(database);
  return Number(numAffectedRows);
}

export async function readGroupId(database: Database, id: Id<'item'>): Promise<Id<'reading-group'> | null> {
  const row = await database
    .selectFrom('record.item')
    .select('group_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : (row.group_id as Id<'reading-group'>);
}

export async function selectLockedItems(
  database: Database,
  ids: readonly Id<'item'>[],
  lock: 'update' | 'share',
  { noWait }: LockOptions,
): Promise<readonly StoredItem[]> {
  if (ids.length === 0) return [];
  const found = selectItems(database).where('item.id', 'in', [...ids]);
  const locked = lock === 'share' ? found.forShare('item') : found.forNoKeyUpdate('item');
  return (await locked.$if(noWait, (query) => query.noWait()).execute()).map(itemOf);
}

/** The item as a relation of `RecordView` describes it; null if it does not exist there. */
export async function readItemFrom(
  database: Database,
  id: string,
  relation: RawBuilder<unknown>,
): Promise<StoredItem | null> {
  const { rows } = await sql<ItemRow>`
    SELECT item.*, source.name AS source_name FROM ${relation} AS item
    JOIN record.source ON source.id = item.source_id WHERE item.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  return row === undefined ? null : itemOf(row);
}

/** Pages through the whole archive by id. */
export async function readItemsAfter(
  database: Database,
  after: Id<'item'> | null,
  limit: number,
): Promise<readonly (StoredItem & { readonly body: string | null; readonly bodyVersion: number })[]> {
  const rows = await selectItems(database)
    .$if(after !== null, (query) => query.where('item.id', '>', after))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...itemOf(row), body: row.body, bodyVersion: row.body_version }));
}

/** The next items whose stored body has an older version. */
export async function readOutdatedItemIds(database: Database, limit: number): Promise<readonly Id<'item'>[]> {
  const { rows } = await sql<{ id: Id<'item'> }>`
    SELECT id FROM record.item WHERE body_version < ${sql.lit(bodyVersion)} AND withdrawn_at IS NULL
    ORDER BY id LIMIT ${limit}`.execute(database);
  return rows.map(({ id }) => id);
}

export async function readGroupIds(
  database: Database,
  ids: readonly Id<'item'>[],
): Promise<readonly Id<'reading-group'>[]> {
  const rows = await database
    .selectFrom('record.item')
    .select('group_id')
    .distinct()
    .where('id', 'in', [...ids])
    .execute();
  return rows.map((row) => row.group_id as Id<'reading-group'>);
}

/** The same facts in the current format. */
export async function updateItemBody(database: Database, id: Id<'item'>, body: string): Promise<void> {
  await database
    .updateTable('record.item')
    .set({ body, body_version: bodyVersion })
    .where('id', '=', id)
    .execute();
}

export async function updateItem(database: Database, item: Item): Promise<void> {
  await database
    .updateTable('record.item')
    .set({ group_id: item.groupId, language: item.language, ...changeableColumns(item) })
    .where('id', '=', item.id)
    .execute();
}

/** Keeps the id of a withdrawn item, so that it is never reused and the ledger can refer to it. */
export async function eraseItemText(
  database: Database,
  id: Id<'item'>,
  withdrawnAt: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('record.item')
    .set({
      title: '',
      original_title: null,
      summary: '',
      original_url: '',
      score: null,
      selected: false,
      reason: null,
      text_removed: false,
      language: null,
      withdrawn_at: toTimestamptz(withdrawnAt),
      body: null,
      digest: null,
    })
    .where('id', '=', id)
    .execute();
}

function selectItems(database: Database) {
  return database
    .selectFrom('record.item as item')
    .innerJoin('record.source as source', 'source.id', 'item.source_id')
    .selectAll('item')
    .select('source.name as source_name')
    .orderBy('item.id');
}

type ItemRow = Selectable<RecordItem> & { readonly source_name: string };

function itemOf(row: ItemRow): StoredItem {
  return {
    id: row.id as Id<'item'>,
    sourceId: row.source_id as Id<'source'>,
    sourceName: row.source_name,
    groupId: row.group_id as Id<'reading-group'>,
    storyId: row.story_id as Id<'story'> | null,
    voice: row.voice,
    title: row.title,
    originalTitle: row.original_title,
    language: row.language,
    summary: row.summary,
    category: row.category,
    originalUrl: row.original_url,
    publishedAt: row.published_at === null ? null : fromTimestamptz(row.published_at),
    discoveredAt: fromTimestamptz(row.discovered_at),
    revisedAt: row.revised_at === null ? null : fromTimestamptz(row.revised_at),
    timelineAt: fromTimestamptz(row.timeline_at),
    score: row.score,
    selected: row.selected,
    reason: row.reason,
    textRemoved: row.text_removed,
    withdrawnAt: row.withdrawn_at === null ? null : fromTimestamptz(row.withdrawn_at),
    digest: row.digest,
  };
}

function changeableColumns(item: Item) {
  const { body, digest } = composeItem(item);
  return {
    title: item.title,
    original_title: item.originalTitle,
    summary: item.summary,
    category: item.category,
    original_url: item.originalUrl,
    published_at: item.publishedAt === null ? null : toTimestamptz(item.publishedAt),
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    text_removed: item.textRemoved ?? false,
    revised_at: item.revisedAt === null ? null : toTimestamptz(item.revisedAt),
    body,
    body_version: bodyVersion,
    digest,
  };
}
