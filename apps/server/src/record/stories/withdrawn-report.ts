import type { Id } from '../../foundation/ids.ts';
import type { Work } from '../decision.ts';
import type { StoredItem } from '../items/item-store.ts';
import { lockStories } from '../locking.ts';
import { dropDigestCiting, recountStories } from './opened-story.ts';
import { readFirstTitle, updateStory } from './story-store.ts';

/** The story goes on without the report; a digest that cites it and a title that is its title do not. */
export async function withdrawFromStory(work: Work, item: StoredItem, storyId: Id<'story'>): Promise<void> {
  const [locked] = await lockStories(work, [storyId]);
  if (locked === undefined) throw new Error(`story ${storyId} is not there`);
  const story = await dropDigestCiting(work, locked, [item.id]);
  if (story.title === item.title) {
    const title = (await readFirstTitle(work.database, storyId)) ?? '';
    await updateStory(work.database, { ...story, title });
  }
  await recountStories(work, [storyId]);
}
