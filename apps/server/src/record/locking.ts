import { ConcurrentChange } from '../foundation/database/concurrent-change.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import type { Work } from './decision.ts';
import { selectEditionForUpdate } from './editions/edition-store.ts';
import type { EditionKey } from './editions/edition.ts';
import type { LockOptions, StoredItem } from './items/item-store.ts';
import { selectItemsForShare, selectItemsForUpdate } from './items/item-store.ts';
import type { ReadingGroup } from './items/reading-group-store.ts';
import { selectReadingGroupsForUpdate } from './items/reading-group-store.ts';
import { selectStoriesForUpdate } from './stories/story-store.ts';
import type { Story } from './stories/story.ts';

// Every row lock of a decision is taken here, so that `LockOrder` knows of it.

export function lockReadingGroups(
  work: Work,
  ids: readonly Id<'reading-group'>[],
): Promise<readonly ReadingGroup[]> {
  const { mayWait } = work.locks.take('reading group', ids);
  return lockRows(work, mayWait, (database, options) => selectReadingGroupsForUpdate(database, ids, options));
}

/** In the order of their ids. */
export function lockItems(work: Work, ids: readonly Id<'item'>[]): Promise<readonly StoredItem[]> {
  const { mayWait } = work.locks.take('item', ids);
  return lockRows(work, mayWait, (database, options) => selectItemsForUpdate(database, ids, options));
}

/** Keeps them from being withdrawn until this transaction ends, while others may do the same. */
export function holdItems(work: Work, ids: readonly Id<'item'>[]): Promise<readonly StoredItem[]> {
  const { mayWait } = work.locks.take('item', ids, 'share');
  return lockRows(work, mayWait, (database, options) => selectItemsForShare(database, ids, options));
}

/** In the order of their ids. */
export function lockStories(work: Work, ids: readonly Id<'story'>[]): Promise<readonly Story[]> {
  const { mayWait } = work.locks.take('story', ids);
  return lockRows(work, mayWait, (database, options) => selectStoriesForUpdate(database, ids, options));
}

/** The current revision's number; null where there is no such edition. */
export function lockEdition(work: Work, key: EditionKey): Promise<number | null> {
  const { mayWait } = work.locks.take('edition', [`${key.kind} ${key.period}`]);
  return lockRows(work, mayWait, (database, options) => selectEditionForUpdate(database, key, options));
}

const lockNotAvailable = '55P03';

/** Where rows may not be waited for and are taken: the transaction is undone, and begun again once they are free. */
async function lockRows<Rows>(
  { database }: Work,
  mayWait: boolean,
  lock: (database: Database, options: LockOptions) => Promise<Rows>,
): Promise<Rows> {
  try {
    return await lock(database, { noWait: !mayWait });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw new ConcurrentChange(
      'another transaction holds what this one needs out of order',
      async (outside) => {
        await lock(outside, { noWait: false });
      },
    );
  }
}
