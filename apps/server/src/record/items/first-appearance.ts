import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { DecisionContext } from '../decision.ts';
import { lockItems } from '../locking.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import { readFirstAppearances, updateReadingGroups } from './reading-group-store.ts';
import { updateTimelineKeys } from './window-store.ts';

/**
 * Runs after members have changed: computes when the group first appeared and moves its representative's key. The
 * group's row is locked; the representative is locked as well before its row in the window is written, as in every
 * decision that writes one; otherwise two decisions could wait for each other's rows.
 */
export async function updateFirstAppearance(
  context: DecisionContext,
  group: ReadingGroup,
): Promise<EpochMicroseconds> {
  const { database } = context;
  const first = (await readFirstAppearances(database, [group.id])).get(group.id);
  if (first === undefined || first === group.firstAppearedAt) return group.firstAppearedAt;
  const representatives = await database
    .selectFrom('record.item')
    .select('id')
    .where('group_id', '=', group.id)
    .where('selected', '=', true)
    .execute();
  const [representativeId = null] = representatives.map(({ id }) => id as Id<'item'>);
  await lockItems(context, representativeId === null ? [] : [representativeId]);
  await updateReadingGroups(database, [{ id: group.id, firstAppearedAt: first, representativeId }]);
  await updateTimelineKeys(database, [group.id]);
  return first;
}
