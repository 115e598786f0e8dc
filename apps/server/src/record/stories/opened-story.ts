import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import { lockStories } from '../locking.ts';
import { recount, updateStory } from './story-store.ts';
import type { Story, StoryFault } from './story.ts';
import { citesOf } from './story.ts';

/** All of them, locked in one order, none of them merged away. */
export async function lockStandingStories(
  work: Work,
  ids: readonly Id<'story'>[],
): Promise<Result<readonly Story[], StoryFault>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return accepted([]);
  const stories = await lockStories(work, wanted);
  if (stories.length < wanted.length) return refused('unknown_story');
  if (stories.some(({ mergedInto }) => mergedInto !== null)) return refused('merged_story');
  return accepted(stories);
}

export async function recountStories(work: Work, ids: readonly Id<'story'>[]): Promise<void> {
  await recount(work.database, ids);
  work.cacheTags.add(recordCacheTags.stories);
  // A hot topic links to its story.
  work.cacheTags.add(recordCacheTags.hotTopics);
}

/** A story that has its title from a report takes the new one over. */
export async function retitleStory(
  work: Work,
  id: Id<'story'>,
  title: { readonly from: string; readonly to: string },
): Promise<void> {
  const [story] = await lockStories(work, [id]);
  if (story?.title === title.from) await updateStory(work.database, { ...story, title: title.to });
}

/** A digest is words about its reports: where one of them leaves, the words go. */
export async function dropDigestCiting(
  work: Work,
  story: Story,
  itemIds: readonly Id<'item'>[],
): Promise<Story> {
  if (story.digest === null) return story;
  const cites = citesOf(story.digest);
  if (!itemIds.some((id) => cites.has(id))) return story;
  const bare = { ...story, digest: null };
  await updateStory(work.database, bare);
  return bare;
}
