import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { tagsShowingItems } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason, unstatedReason } from '../corrections/correction.ts';
import type { Work } from '../decision.ts';
import { blankItemWords } from '../editions/edition-material-store.ts';
import type { EditionKey } from '../editions/edition.ts';
import { withdrawFromEditions } from '../editions/editions-citing.ts';
import { withdrawFromStory } from '../stories/withdrawn-report.ts';
import { settleFirstAppearance } from './first-appearance.ts';
import { composeItemBody } from './item-body.ts';
import { blankItem } from './item-store.ts';
import type { ItemFault } from './opened-item.ts';
import { openItem } from './opened-item.ts';
import { setRepresentative } from './reading-group-store.ts';
import { deleteWindowItem } from './window-store.ts';

export interface Withdrawn {
  readonly revisedEditions: readonly EditionKey[];
  /** The reading group that it spoke for and that nobody speaks for now. */
  readonly unrepresentedGroupId: Id<'reading-group'> | null;
}

/** The item leaves every surface at once; what was written from it goes as well. */
export async function withdrawItem(
  work: Work,
  request: {
    readonly itemId: Id<'item'>;
    /** Shown to everyone. */
    readonly reason?: string;
  },
): Promise<Result<Withdrawn, ItemFault | ReasonFault>> {
  const { reason = unstatedReason } = request;
  if (!isReason(reason)) return refused('invalid_reason');
  const opened = await openItem(work, request.itemId);
  if (!opened.ok) return opened;
  const { item, group } = opened.value;
  await blankItem(work.database, item.id, work.now);
  await blankItemWords(work.database, item.id);
  await deleteWindowItem(work.database, item);
  if (item.digest !== null) {
    await setRepresentative(work.database, group.id, null);
    work.ledger.push({ itemId: item.id, before: item.digest, after: null });
  }
  await settleFirstAppearance(work, group);
  if (item.storyId !== null) await withdrawFromStory(work, item, item.storyId);
  const correctionId = await recordCorrection(work, {
    action: 'withdrawn',
    subject: { kind: 'item', id: item.id },
    reason,
    before: composeItemBody(item),
  });
  const revisedEditions = await withdrawFromEditions(work, item.id, {
    correctionId,
    reason: request.reason ?? '',
  });
  for (const tag of tagsShowingItems) work.cacheTags.add(tag);
  return accepted({ revisedEditions, unrepresentedGroupId: item.selected ? group.id : null });
}
