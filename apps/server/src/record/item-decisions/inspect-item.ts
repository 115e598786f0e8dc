import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { lockItemAndGroup } from '../items/locked-item.ts';

/** An item as an editor sees it. */
export interface ItemState {
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly selected: boolean;
  readonly reason: string | null;
  readonly storyId: Id<'story'> | null;
  /** The selected item of its reading group, if that is another one. */
  readonly otherRepresentative: { readonly id: Id<'item'>; readonly reason: string | null } | null;
}

/** Changes nothing. The item stays as returned until the transaction ends, unless a decision in it changes it. */
export async function inspectItem(
  context: DecisionContext,
  { itemId }: { readonly itemId: Id<'item'> },
): Promise<DecisionResult<ItemState, ItemFault>> {
  const locked = await lockItemAndGroup(context, itemId);
  if (!locked.ok) return locked;
  context.inspected.set(itemId, locked.value);
  const { item, otherRepresentative } = locked.value;
  const { title, summary, category, selected, reason, storyId } = item;
  const other =
    otherRepresentative === null ? null : { id: otherRepresentative.id, reason: otherRepresentative.reason };
  return decided({ title, summary, category, selected, reason, storyId, otherRepresentative: other });
}
