import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import type { ItemFault } from './opened-item.ts';
import { saveItemChange, openItem } from './opened-item.ts';
import { setRepresentative } from './reading-group-store.ts';

/** The item speaks for its reading group from now on; whichever did so before is no longer selected. */
export async function selectItem(
  work: Work,
  request: { readonly itemId: Id<'item'>; readonly reason: string },
): Promise<Result<{ readonly replaced: Id<'item'> | null }, ItemFault>> {
  const opened = await openItem(work, request.itemId);
  if (!opened.ok) return opened;
  const { item, group, otherRepresentative } = opened.value;
  if (item.selected && item.reason === request.reason) return accepted({ replaced: null });
  if (otherRepresentative !== null) {
    const former = { ...otherRepresentative, selected: false, reason: null };
    await saveItemChange(work, otherRepresentative, former, group.firstAppearedAt);
  }
  const selected = { ...item, selected: true, reason: request.reason };
  await saveItemChange(work, item, selected, group.firstAppearedAt);
  await setRepresentative(work.database, group.id, item.id);
  work.cacheTags.add(recordCacheTags.items);
  return accepted({ replaced: otherRepresentative?.id ?? null });
}

export async function unselectItem(
  work: Work,
  request: { readonly itemId: Id<'item'> },
): Promise<Result<'unselected' | 'unchanged', ItemFault>> {
  const opened = await openItem(work, request.itemId);
  if (!opened.ok) return opened;
  const { item, group } = opened.value;
  if (!item.selected) return accepted('unchanged');
  await saveItemChange(work, item, { ...item, selected: false, reason: null }, group.firstAppearedAt);
  await setRepresentative(work.database, group.id, null);
  work.cacheTags.add(recordCacheTags.items);
  return accepted('unselected');
}
