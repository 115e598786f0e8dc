import { sql } from 'kysely';

import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { Item } from './item.ts';
import { composeSearch, primaryLanguage, publishedKeyOf, windowStart } from './item.ts';

export const partitionsAhead = 3;
export const partitionsKept = 8;

export interface PartitionChange {
  readonly action: 'made' | 'dropped' | 'busy';
  readonly partition: string;
}

/** Makes the coming days' partitions and drops those that have aged out. */
export async function rollWindow(
  database: Database,
  now: EpochMicroseconds,
): Promise<readonly PartitionChange[]> {
  const { rows } = await sql<PartitionChange>`
    SELECT action, partition
    FROM record.roll_window(${utcDay(now)}::date, ${partitionsAhead}, ${partitionsKept})`.execute(database);
  return rows;
}

/** The day whose partition holds the instant. */
export function utcDay(instant: EpochMicroseconds): string {
  return isoMilliseconds(instant).slice(0, 10);
}

/** A missing partition is made between two tries of the transaction, because making one locks more than rows. */
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

/** Nothing where the item is too old to be shown. */
export async function insertWindowItem(
  database: Database,
  now: EpochMicroseconds,
  row: WindowRow,
): Promise<void> {
  if (row.item.discoveredAt <= windowStart(now)) return;
  await createPartitionAndRetry(
    now,
    database
      .insertInto('record.window_item')
      .values({
        id: row.item.id,
        discovered_at: toTimestamptz(row.item.discoveredAt),
        ...shownColumns(row),
      })
      .execute(),
  );
}

export async function updateWindowItem(database: Database, row: WindowRow): Promise<void> {
  await database
    .updateTable('record.window_item')
    .set(shownColumns(row))
    .where('id', '=', row.item.id)
    .where('discovered_at', '=', toTimestamptz(row.item.discoveredAt))
    .execute();
}

/** The same facts in the newest form; where the row sorts is not touched. */
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
