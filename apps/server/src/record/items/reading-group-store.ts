import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { LockOptions } from '../lock-order.ts';

export interface ReadingGroup {
  readonly id: Id<'reading-group'>;
  readonly firstAppearedAt: EpochMicroseconds;
  readonly representativeId: Id<'item'> | null;
}

/** Returns the number of inserted rows; existing groups are unchanged. */
export async function insertReadingGroups(
  database: Database,
  groups: readonly ReadingGroup[],
): Promise<number> {
  if (groups.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`${preparedAs('insert-reading-groups')}
    INSERT INTO record.reading_group (id, first_appeared_at, representative_id)
    SELECT * FROM ${unnested(groups)}
    ON CONFLICT DO NOTHING`.execute(database);
  return Number(numAffectedRows);
}

export async function updateReadingGroups(
  database: Database,
  groups: readonly ReadingGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  await sql`${preparedAs('update-reading-groups')}
    UPDATE record.reading_group AS grouped
    SET first_appeared_at = changed.first_appeared_at, representative_id = changed.representative_id
    FROM ${unnested(groups)} AS changed (id, first_appeared_at, representative_id)
    WHERE grouped.id = changed.id`.execute(database);
}

function unnested(groups: readonly ReadingGroup[]) {
  return sql`unnest(
    ${groups.map(({ id }) => id)}::uuid[],
    ${groups.map(({ firstAppearedAt }) => toTimestamptz(firstAppearedAt))}::timestamptz[],
    ${groups.map(({ representativeId }) => representativeId)}::uuid[])`;
}

/** The earliest item of each group that is not withdrawn; groups without one are omitted. */
export async function readFirstAppearances(
  database: Database,
  ids: readonly Id<'reading-group'>[],
): Promise<ReadonlyMap<Id<'reading-group'>, EpochMicroseconds>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    group_id: Id<'reading-group'>;
    first: string;
  }>`${preparedAs('first-appearances')}
    SELECT group_id, min(timeline_at) AS first FROM record.item
    WHERE group_id = ANY(${[...ids]}::uuid[]) AND withdrawn_at IS NULL GROUP BY group_id`.execute(database);
  return new Map(rows.map(({ group_id, first }) => [group_id, fromTimestamptz(first)]));
}

export async function selectReadingGroupsForUpdate(
  database: Database,
  ids: readonly Id<'reading-group'>[],
  { noWait }: LockOptions,
): Promise<readonly ReadingGroup[]> {
  if (ids.length === 0) return [];
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
