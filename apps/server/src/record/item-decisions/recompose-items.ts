import type { Id } from '../../foundation/ids.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { PublisherDeps, DecisionContext } from '../decision.ts';
import { decide, decided } from '../decision.ts';
import { readGroupIds, readOutdatedItemIds, updateItemBody } from '../items/item-store.ts';
import { composeItem } from '../items/item.ts';
import { updateWindowBody } from '../items/window-store.ts';
import { lockItems, lockReadingGroups } from '../locking.ts';

const batchSize = 200;

/**
 * Upgrades stored bodies of an older version batch by batch, during normal reads and writes. The content of an item
 * stays the same, so mirrors see no change.
 */
export async function recomposeItems(
  deps: PublisherDeps,
  onProgress: (recomposed: number) => void = () => {},
): Promise<number> {
  for (let recomposed = 0; ; onProgress(recomposed)) {
    const ids = await readOutdatedItemIds(deps.database, batchSize);
    if (ids.length === 0) return recomposed;
    await decide(deps, (context) => recomposeBatch(context, ids));
    recomposed += ids.length;
  }
}

async function recomposeBatch(context: DecisionContext, ids: readonly Id<'item'>[]) {
  await lockReadingGroups(context, await readGroupIds(context.database, ids));
  for (const item of await lockItems(context, ids)) {
    if (item.withdrawnAt !== null) continue;
    const { body } = composeItem(item);
    await updateItemBody(context.database, item.id, body);
    await updateWindowBody(context.database, item, body);
  }
  return decided('recomposed', stale(recordCacheTags.items, recordCacheTags.selected));
}
