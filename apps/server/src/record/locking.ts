import { ConcurrentChange } from '../foundation/database/concurrent-change.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import type { DecisionContext } from './decision.ts';
import { selectEditionForUpdate } from './editions/edition-store.ts';
import type { EditionKey } from './editions/edition.ts';
import type { StoredItem } from './items/item-store.ts';
import { selectLockedItems } from './items/item-store.ts';
import type { ReadingGroup } from './items/reading-group-store.ts';
import { selectReadingGroupsForUpdate } from './items/reading-group-store.ts';
import type { LockOptions } from './lock-order.ts';
import { selectStoriesForUpdate } from './stories/story-store.ts';
import type { Story } from './stories/story.ts';

// Every row lock of a decision is taken here, so that `LockOrder` records it.

export function lockReadingGroups(
  context: DecisionContext,
  ids: readonly Id<'reading-group'>[],
): Promise<readonly ReadingGroup[]> {
  const { mayWait } = context.locks.take('reading group', ids);
  return lockRows(context, mayWait, (database, options) =>
    selectReadingGroupsForUpdate(database, ids, options),
  );
}

/** In the order of their ids. */
export function lockItems(
  context: DecisionContext,
  ids: readonly Id<'item'>[],
): Promise<readonly StoredItem[]> {
  const { mayWait } = context.locks.take('item', ids);
  return lockRows(context, mayWait, (database, options) =>
    selectLockedItems(database, ids, 'update', options),
  );
}

/** Prevents their withdrawal until this transaction ends; other transactions may do the same concurrently. */
export function holdItems(
  context: DecisionContext,
  ids: readonly Id<'item'>[],
): Promise<readonly StoredItem[]> {
  const { mayWait } = context.locks.take('item', ids, 'share');
  return lockRows(context, mayWait, (database, options) =>
    selectLockedItems(database, ids, 'share', options),
  );
}

/** In the order of their ids. */
export function lockStories(
  context: DecisionContext,
  ids: readonly Id<'story'>[],
): Promise<readonly Story[]> {
  const { mayWait } = context.locks.take('story', ids);
  return lockRows(context, mayWait, (database, options) => selectStoriesForUpdate(database, ids, options));
}

/** The current revision's number; null if the edition does not exist. */
export function lockEdition(context: DecisionContext, key: EditionKey): Promise<number | null> {
  const { mayWait } = context.locks.take('edition', [`${key.kind} ${key.period}`]);
  return lockRows(context, mayWait, (database, options) => selectEditionForUpdate(database, key, options));
}

const lockNotAvailable = '55P03';

/** Rolls the transaction back if rows are locked and waiting is not allowed; it restarts once they are free. */
async function lockRows<Rows>(
  { database }: DecisionContext,
  mayWait: boolean,
  lock: (database: Database, options: LockOptions) => Promise<Rows>,
): Promise<Rows> {
  try {
    return await lock(database, { noWait: !mayWait });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw new ConcurrentChange(
      'another transaction holds a lock that this one requests out of order',
      async (outside) => {
        await lock(outside, { noWait: false });
      },
    );
  }
}
