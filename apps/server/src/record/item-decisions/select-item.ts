import type { Id } from '../../foundation/ids.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { saveItemChange, lockItemAndGroup } from '../items/locked-item.ts';
import { setRepresentative } from '../items/reading-group-store.ts';

/** Makes the item the representative of its reading group and unselects the previous one. */
export async function selectItem(
  context: DecisionContext,
  request: { readonly itemId: Id<'item'>; readonly reason: string },
): Promise<DecisionResult<{ readonly replaced: Id<'item'> | null }, ItemFault>> {
  const locked = await lockItemAndGroup(context, request.itemId);
  if (!locked.ok) return locked;
  const { item, group, otherRepresentative } = locked.value;
  if (item.selected && item.reason === request.reason) return decided({ replaced: null });
  if (otherRepresentative !== null) {
    const former = { ...otherRepresentative, selected: false, reason: null };
    await saveItemChange(context, otherRepresentative, former, group.firstAppearedAt);
  }
  const selected = { ...item, selected: true, reason: request.reason };
  await saveItemChange(context, item, selected, group.firstAppearedAt);
  await setRepresentative(context.database, group.id, item.id);
  return decided({ replaced: otherRepresentative?.id ?? null }, stale(recordCacheTags.items));
}

export async function unselectItem(
  context: DecisionContext,
  request: { readonly itemId: Id<'item'> },
): Promise<DecisionResult<'unselected' | 'unchanged', ItemFault>> {
  const locked = await lockItemAndGroup(context, request.itemId);
  if (!locked.ok) return locked;
  const { item, group } = locked.value;
  if (!item.selected) return decided('unchanged');
  await saveItemChange(context, item, { ...item, selected: false, reason: null }, group.firstAppearedAt);
  await setRepresentative(context.database, group.id, null);
  return decided('unselected', stale(recordCacheTags.items));
}
