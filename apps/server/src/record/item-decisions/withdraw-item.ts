import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { editionTag, itemTag, purge, recordCacheTags, storyTag, tagsShowingItems } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { correctionReason, isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { eraseItemWords } from '../editions/edition-material-store.ts';
import type { EditionKey, RewriteEdition } from '../editions/edition.ts';
import { withdrawFromEditions } from '../editions/editions-citing.ts';
import { updateFirstAppearance } from '../items/first-appearance.ts';
import { eraseItemText } from '../items/item-store.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { lockItemAndGroup } from '../items/locked-item.ts';
import { setRepresentative } from '../items/reading-group-store.ts';
import { deleteWindowItem } from '../items/window-store.ts';
import { readStoriesShowing } from '../stories/story-store.ts';
import { dropDigestsOfWithdrawn, renameAfterWithdrawal } from '../stories/withdraw-from-story.ts';

export interface Withdrawn {
  readonly revisedEditions: readonly EditionKey[];
  /** The reading group that the item represented and that now has no representative. */
  readonly unrepresentedGroupId: Id<'reading-group'> | null;
}

/** Removes the item from every list at once, with all text written from it. */
export async function withdrawItem(
  context: DecisionContext,
  request: {
    readonly itemId: Id<'item'>;
    /** Public. */
    readonly reason?: string;
    /** Writes the text of the editions that show the item again. */
    readonly rewriteEdition?: RewriteEdition;
  },
): Promise<DecisionResult<Withdrawn, ItemFault | ReasonFault>> {
  const { reason = correctionReason('unstated') } = request;
  if (!isReason(reason)) return refused('invalid_reason');
  const locked = await lockItemAndGroup(context, request.itemId);
  if (!locked.ok) return locked;
  const { item, group } = locked.value;
  context.log.push({ kind: 'item', action: 'withdrawn', subject: item.id, body: null });
  const story = await dropDigestsOfWithdrawn(context, item);
  await eraseItemText(context.database, item.id, context.now);
  await eraseItemWords(context.database, item.id);
  await deleteWindowItem(context.database, item);
  if (item.digest !== null) {
    await setRepresentative(context.database, group.id, null);
    context.ledger.push({ itemId: item.id, before: item.digest, after: null });
  }
  context.erasures.push({
    itemId: item.id,
    at: context.now,
    titles: [item.title, item.originalTitle],
    correction: null,
  });
  await updateFirstAppearance(context, group);
  if (story !== null) await renameAfterWithdrawal(context, story, item);
  const correctionId = await recordCorrection(context, {
    action: 'withdrawn',
    subject: { kind: 'item', id: item.id },
    reason,
  });
  const revisedEditions = await withdrawFromEditions(context, item, {
    correctionId,
    reason: request.reason ?? '',
    rewrite: request.rewriteEdition,
  });
  return decided(
    { revisedEditions, unrepresentedGroupId: item.selected ? group.id : null },
    purge(...tagsShowingItems, recordCacheTags.corrections, itemTag(item.id)),
    purge(...(await readStoriesShowing(context.database, item.storyId)).map(storyTag)),
    purge(...revisedEditions.map(editionTag)),
  );
}
