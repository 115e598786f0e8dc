import type { Id } from '../../foundation/ids.ts';
import { accepted } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { PublisherDeps, Work } from '../decision.ts';
import { decide } from '../decision.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';
import { readGroupIds, readOutdatedItemIds, updateItemBody } from './item-store.ts';
import { composeItem } from './item.ts';
import { updateWindowBody } from './window-store.ts';

const batchSize = 200;

/**
 * Brings stored bodies of an older form up to date, batch by batch, while everything is read and written as usual. What
 * an item says stays the same, so mirrors see no change.
 */
export async function recomposeItems(
  deps: PublisherDeps,
  onProgress: (recomposed: number) => void = () => {},
): Promise<number> {
  for (let recomposed = 0; ; onProgress(recomposed)) {
    const ids = await readOutdatedItemIds(deps.database, batchSize);
    if (ids.length === 0) return recomposed;
    await decide(deps, (work) => recomposeBatch(work, ids));
    recomposed += ids.length;
  }
}

async function recomposeBatch(work: Work, ids: readonly Id<'item'>[]) {
  await lockReadingGroups(work, await readGroupIds(work.database, ids));
  for (const item of await lockItems(work, ids)) {
    if (item.withdrawnAt !== null) continue;
    const { body } = composeItem(item);
    await updateItemBody(work.database, item.id, body);
    await updateWindowBody(work.database, item, body);
  }
  work.cacheTags.add(recordCacheTags.items).add(recordCacheTags.selected);
  return accepted('recomposed');
}
