import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { LockOptions } from './item-store.ts';

export interface ReadingGroup {
  readonly id: Id<'reading-group'>;
  readonly firstAppearedAt: EpochMicroseconds;
  readonly representativeId: Id<'item'> | null;
}

/** False where it was there before. */
export async function insertReadingGroup(
  database: Database,
  id: Id<'reading-group'>,
  firstAppearedAt: EpochMicroseconds,
): Promise<boolean> {
  const inserted = await database
    .insertInto('record.reading_group')
    .values({ id, first_appeared_at: toTimestamptz(firstAppearedAt) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function selectReadingGroupsForUpdate(
  database: Database,
  ids: readonly Id<'reading-group'>[],
  { noWait }: LockOptions,
): Promise<readonly ReadingGroup[]> {
  const rows = await database
    .selectFrom('record.reading_group')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .$if(noWait, (query) => query.noWait())
    .execute();
  return rows.map((row) => ({
    id: row.id as Id<'reading-group'>,
    firstAppearedAt: fromTimestamptz(row.first_appeared_at),
    representativeId: row.representative_id as Id<'item'> | null,
  }));
}

export async function setRepresentative(
  database: Database,
  id: Id<'reading-group'>,
  representativeId: Id<'item'> | null,
): Promise<void> {
  await database
    .updateTable('record.reading_group')
    .set({ representative_id: representativeId })
    .where('id', '=', id)
    .execute();
}
