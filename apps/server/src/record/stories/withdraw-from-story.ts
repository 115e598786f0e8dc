import type { DecisionContext } from '../decision.ts';
import type { StoredItem } from '../items/item-store.ts';
import { lockStories } from '../locking.ts';
import { dropDigestsCiting, retitleStoryNamedAfter } from './story-changes.ts';
import { updateStoryCounts } from './story-store.ts';
import type { Story } from './story.ts';

/**
 * Drops the digests of the story that cite the item. Runs before the text of the item is erased: a trigger for 0.1.0
 * then removes such digests from the row, and the log would have no entry of their removal.
 */
export async function dropDigestsOfWithdrawn(
  context: DecisionContext,
  { id, storyId }: Pick<StoredItem, 'id' | 'storyId'>,
): Promise<Story | null> {
  if (storyId === null) return null;
  const [locked] = await lockStories(context, [storyId]);
  if (locked === undefined) throw new Error(`story ${storyId} is not there`);
  return dropDigestsCiting(context, locked, [id]);
}

/** Renames a story that was named after the withdrawn item, and counts its reports again. */
export async function renameAfterWithdrawal(
  context: DecisionContext,
  story: Story,
  { title }: Pick<StoredItem, 'title'>,
): Promise<void> {
  // The text of the item is erased, also where a person chose it as the title of the story.
  const byEditor = story.byEditor.filter((part) => part !== 'title' || story.title !== title);
  await retitleStoryNamedAfter(context, { ...story, byEditor }, [title]);
  await updateStoryCounts(context.database, [story.id]);
}
