import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { editionTag, itemTag, purge, recordCacheTags, storyTag, tagsShowingItems } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { EditionKey, RewriteEdition } from '../editions/edition.ts';
import { correctInEditions } from '../editions/editions-citing.ts';
import { lockItemAndGroup } from '../items/locked-item.ts';
import { readStoriesShowing } from '../stories/story-store.ts';
import type { ItemRevision, ReviseItemFault } from './revise-item.ts';
import { applyRevision } from './revise-item.ts';

export interface ItemCorrection {
  readonly itemId: Id<'item'>;
  readonly changes: ItemRevision;
  /** Public. */
  readonly reason: string;
  /** Writes the text of the editions that show the item again. */
  readonly rewriteEdition?: RewriteEdition;
}

/** Corrects an error of ours, also in the editions that cite the item; copies must no longer be shown. */
export async function correctItem(
  context: DecisionContext,
  { itemId, changes, reason, rewriteEdition }: ItemCorrection,
): Promise<
  DecisionResult<
    { readonly revisedEditions: readonly EditionKey[] },
    ReviseItemFault | ReasonFault | 'nothing_corrected'
  >
> {
  if (!isReason(reason)) return refused('invalid_reason');
  const locked = await lockItemAndGroup(context, itemId);
  if (!locked.ok) return locked;
  const { item: before } = locked.value;
  const applied = await applyRevision(context, locked.value, changes, { isCorrection: true });
  if (!applied.ok) return applied;
  const after = applied.value;
  if (after === null) return refused('nothing_corrected');
  const correctionId = await recordCorrection(context, {
    action: 'corrected',
    subject: { kind: 'item', id: itemId },
    reason,
  });
  const revisedEditions = await correctInEditions(
    context,
    { before, after },
    { correctionId, reason, rewrite: rewriteEdition },
  );
  return decided(
    { revisedEditions },
    purge(...tagsShowingItems, recordCacheTags.corrections, itemTag(itemId)),
    purge(...(await readStoriesShowing(context.database, before.storyId)).map(storyTag)),
    purge(...revisedEditions.map(editionTag)),
  );
}
