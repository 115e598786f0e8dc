import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

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

export async function lockReadingGroups(
  database: Database,
  ids: readonly Id<'reading-group'>[],
): Promise<readonly ReadingGroup[]> {
  const rows = await database
    .selectFrom('record.reading_group')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
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

/**
 * After its members changed: works out when the group first appeared and moves its representative's key there. The
 * group's row is locked.
 */
export async function settleFirstAppearance(
  database: Database,
  group: ReadingGroup,
): Promise<EpochMicroseconds> {
  const { first } = await database
    .selectFrom('record.item')
    .select((select) => select.fn.min<string | null>('timeline_at').as('first'))
    .where('group_id', '=', group.id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (first === null || fromTimestamptz(first) === group.firstAppearedAt) return group.firstAppearedAt;
  await database
    .updateTable('record.reading_group')
    .set({ first_appeared_at: first })
    .where('id', '=', group.id)
    .execute();
  await sql`
    UPDATE record.window_item AS shown SET timeline_key = ${first}
    FROM record.item AS representative
    WHERE representative.group_id = ${group.id} AND representative.selected
      AND shown.id = representative.id AND shown.discovered_at = representative.discovered_at`.execute(
    database,
  );
  return fromTimestamptz(first);
}
