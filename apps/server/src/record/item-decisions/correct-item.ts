import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { editionTag, itemTag, purge, recordCacheTags, storyTag, tagsShowingItems } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { eraseItemWords } from '../editions/edition-material-store.ts';
import type { EditionKey, RewriteEdition } from '../editions/edition.ts';
import { correctInEditions } from '../editions/editions-citing.ts';
import type { Item } from '../items/item.ts';
import { lockItemAndGroup } from '../items/locked-item.ts';
import { revisedColumns, wordColumns } from '../items/logged-item.ts';
import { lockStories } from '../locking.ts';
import { dropDigestsCiting } from '../stories/story-changes.ts';
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
  const isOfWords = saysOtherwise(before, after);
  await eraseWrong(context, { before, after, isOfWords });
  const correctionId = await recordCorrection(context, {
    action: 'corrected',
    subject: { kind: 'item', id: itemId },
    reason,
  });
  const revisedEditions = await correctInEditions(
    context,
    { before, after, isOfWords },
    { correctionId, reason, rewrite: rewriteEdition },
  );
  return decided(
    { revisedEditions },
    purge(...tagsShowingItems, recordCacheTags.corrections, itemTag(itemId)),
    purge(...(await readStoriesShowing(context.database, before.storyId)).map(storyTag)),
    purge(...revisedEditions.map(editionTag)),
  );
}

/** Whether texts that were written from the item can repeat what was wrong. */
function saysOtherwise(before: Item, after: Item): boolean {
  return (
    before.title !== after.title ||
    before.originalTitle !== after.originalTitle ||
    before.summary !== after.summary ||
    before.publishedAt !== after.publishedAt
  );
}

/** Deletes what was wrong from the texts written from the item and from everything that stores earlier wordings. */
async function eraseWrong(
  context: DecisionContext,
  { before, after, isOfWords }: { readonly before: Item; readonly after: Item; readonly isOfWords: boolean },
): Promise<void> {
  if (isOfWords) {
    await eraseItemWords(context.database, before.id);
    if (before.storyId !== null) {
      const [story] = await lockStories(context, [before.storyId]);
      // Its next digest is written from the corrected item.
      if (story !== undefined) await dropDigestsCiting(context, story, [before.id]);
    }
  }
  const columns = revisedColumns(before, after).filter((name) => name !== 'revised_at');
  context.erasures.push({
    itemId: before.id,
    at: context.now,
    titles: [before.title, before.originalTitle],
    correction: {
      columns: [...wordColumns, ...columns],
      isOfWords,
      newTitles: [after.title, after.originalTitle],
    },
  });
}
