import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { DecisionContext } from '../decision.ts';
import { lockReadingGroups } from '../locking.ts';
import type { Item } from './item.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import { readFirstAppearances } from './reading-group-store.ts';

/** A reading group after new items were added. */
export interface PlacedGroup extends ReadingGroup {
  /** The previous state; null if these items create the group. */
  readonly before: ReadingGroup | null;
}

/**
 * The groups of new items; existing groups are locked. Locking precedes any insert: an insert would wait for a
 * transaction that changes the row.
 */
export async function lockAndPlaceGroups(
  context: DecisionContext,
  items: readonly Item[],
): Promise<ReadonlyMap<Id<'reading-group'>, PlacedGroup>> {
  const ids = [...new Set(items.map(({ groupId }) => groupId))];
  const known = await lockReadingGroups(context, ids);
  const firsts = await readFirstAppearances(
    context.database,
    known.map(({ id }) => id),
  );
  const before = new Map(known.map((group) => [group.id, group]));
  const placed = new Map<Id<'reading-group'>, PlacedGroup>();
  for (const { id, groupId, timelineAt, selected } of items) {
    const group = placed.get(groupId);
    const first = group?.firstAppearedAt ?? firsts.get(groupId);
    const representativeId = group?.representativeId ?? before.get(groupId)?.representativeId ?? null;
    placed.set(groupId, {
      id: groupId,
      before: before.get(groupId) ?? null,
      firstAppearedAt: first === undefined ? timelineAt : earlier(first, timelineAt),
      representativeId: selected ? id : representativeId,
    });
  }
  return placed;
}

function earlier(one: EpochMicroseconds, other: EpochMicroseconds): EpochMicroseconds {
  return one < other ? one : other;
}
