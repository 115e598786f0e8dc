import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { stale, tagsShowingItems } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { LockedItem } from '../items/inspected-items.ts';
import { composeItemBody } from '../items/item-body.ts';
import type { Item } from '../items/item.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { saveItemChange, lockItemAndGroup } from '../items/locked-item.ts';
import { retitleStory } from '../stories/story-changes.ts';

/** Fields that may change after publication. The place on the timeline does not, even with another publishedAt. */
export type ItemRevision = Partial<
  Pick<
    Item,
    | 'title'
    | 'originalTitle'
    | 'language'
    | 'summary'
    | 'category'
    | 'originalUrl'
    | 'publishedAt'
    | 'score'
    | 'reason'
    | 'textRemoved'
  >
>;

export type ReviseItemFault = ItemFault | 'impossible_times' | 'not_selected';

export async function reviseItem(
  context: DecisionContext,
  request: { readonly itemId: Id<'item'>; readonly changes: ItemRevision },
): Promise<DecisionResult<'revised' | 'unchanged', ReviseItemFault>> {
  const locked = await lockItemAndGroup(context, request.itemId);
  if (!locked.ok) return locked;
  const applied = await applyRevision(context, locked.value, request.changes, { isCorrection: false });
  if (!applied.ok) return applied;
  return applied.value === null ? decided('unchanged') : decided('revised', stale(...tagsShowingItems));
}

/** Returns the revised item; null if nothing changes. */
export async function applyRevision(
  context: DecisionContext,
  { item, group }: LockedItem,
  changes: ItemRevision,
  { isCorrection }: { readonly isCorrection: boolean },
): Promise<Result<Item | null, ReviseItemFault>> {
  const revised: Item = { ...item, ...changes };
  if (revised.publishedAt !== null && revised.publishedAt > revised.discoveredAt) {
    return refused('impossible_times');
  }
  if (revised.reason !== null && !revised.selected) return refused('not_selected');
  if (composeItemBody(revised) === composeItemBody(item) && revised.publishedAt === item.publishedAt) {
    return accepted(null);
  }
  const revisedAt = saysTheSame(item, revised) ? item.revisedAt : context.now;
  await saveItemChange(context, item, { ...revised, revisedAt }, group.firstAppearedAt);
  if (item.storyId !== null && revised.title !== item.title)
    await retitleStory(context, item.storyId, { from: item.title, to: revised.title, isCorrection });
  return accepted(revised);
}

/** Another score or reason is our own judgement, not a revision of the source's text. */
function saysTheSame(one: Item, other: Item): boolean {
  const { score, reason } = one;
  return (
    composeItemBody(one) === composeItemBody({ ...other, score, reason }) &&
    one.publishedAt === other.publishedAt
  );
}
