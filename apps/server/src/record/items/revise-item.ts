import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { topicsShowingItems } from '../topics.ts';
import { composeItemBody } from './item-body.ts';
import type { Item } from './item.ts';
import type { ItemFault } from './opened-item.ts';
import { keepItem, openItem } from './opened-item.ts';

/** What may change after publication. Where the item stands on the timeline does not, even with another publishedAt. */
export type ItemRevision = Partial<
  Pick<
    Item,
    'title' | 'originalTitle' | 'summary' | 'category' | 'originalUrl' | 'publishedAt' | 'score' | 'reason'
  >
>;

export type ReviseItemFault = ItemFault | 'impossible_times' | 'not_selected';

export async function reviseItem(
  work: Work,
  request: { readonly itemId: Id<'item'>; readonly changes: ItemRevision },
): Promise<Result<'revised' | 'unchanged', ReviseItemFault>> {
  const opened = await openItem(work, request.itemId);
  if (!opened.ok) return opened;
  const { item, group } = opened.value;
  const revised: Item = { ...item, ...request.changes };
  if (revised.publishedAt !== null && revised.publishedAt > revised.discoveredAt) {
    return refused('impossible_times');
  }
  if (revised.reason !== null && !revised.selected) return refused('not_selected');
  if (composeItemBody(revised) === composeItemBody(item) && revised.publishedAt === item.publishedAt) {
    return accepted('unchanged');
  }
  await keepItem(work, item, revised, group.firstAppearedAt);
  for (const topic of topicsShowingItems) work.topics.add(topic);
  return accepted('revised');
}
