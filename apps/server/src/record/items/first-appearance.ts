import { sql } from 'kysely';

import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { DecisionContext } from '../decision.ts';
import { lockItems } from '../locking.ts';
import type { ReadingGroup } from './reading-group-store.ts';

/**
 * After its members changed: works out when the group first appeared and moves its representative's key there. The
 * group's row is locked; the representative is locked as well before its row in the window is written, as by everyone
 * who writes one, or two decisions could wait for each other's rows.
 */
export async function updateFirstAppearance(
  context: DecisionContext,
  group: ReadingGroup,
): Promise<EpochMicroseconds> {
  const { database } = context;
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
  const representatives = await database
    .selectFrom('record.item')
    .select('id')
    .where('group_id', '=', group.id)
    .where('selected', '=', true)
    .execute();
  await lockItems(
    context,
    representatives.map(({ id }) => id as Id<'item'>),
  );
  await sql`
    UPDATE record.window_item AS shown SET timeline_key = ${first}
    FROM record.item AS representative
    WHERE representative.group_id = ${group.id} AND representative.selected
      AND shown.id = representative.id AND shown.discovered_at = representative.discovered_at`.execute(
    database,
  );
  return fromTimestamptz(first);
}
