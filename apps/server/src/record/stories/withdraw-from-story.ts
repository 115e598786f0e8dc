import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext } from '../decision.ts';
import type { StoredItem } from '../items/item-store.ts';
import { lockStories } from '../locking.ts';
import { dropDigestsCiting, saveStoryChange } from './story-changes.ts';
import { readFirstTitle, updateStoryCounts } from './story-store.ts';
import { withTitle } from './story.ts';

/** Removes the item from its story, with a digest that cites it and a title equal to its title. */
export async function withdrawFromStory(
  context: DecisionContext,
  item: StoredItem,
  storyId: Id<'story'>,
): Promise<void> {
  const [locked] = await lockStories(context, [storyId]);
  if (locked === undefined) throw new Error(`story ${storyId} is not there`);
  const story = await dropDigestsCiting(context, locked, [item.id]);
  if (story.title === item.title) {
    const title = (await readFirstTitle(context.database, storyId)) ?? '';
    await saveStoryChange(context, story, withTitle(story, title));
  }
  await updateStoryCounts(context.database, [storyId]);
}
