import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { DecisionContext } from '../decision.ts';
import { lockStories } from '../locking.ts';
import { storyRevised } from './logged-story.ts';
import { readFirstTitle, updateStory } from './story-store.ts';
import type { Story, StoryFault } from './story.ts';
import { citedItemIds, withTitle } from './story.ts';

/** Locks all of them in one order; none of them may be merged. */
export async function lockUnmergedStories(
  context: DecisionContext,
  ids: readonly Id<'story'>[],
): Promise<Result<readonly Story[], StoryFault>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return accepted([]);
  const stories = await lockStories(context, wanted);
  if (stories.length < wanted.length) return refused('unknown_story');
  if (stories.some(({ mergedInto }) => mergedInto !== null)) return refused('merged_story');
  return accepted(stories);
}

/** Writes a changed story, and to the log if its title or a digest changed. */
export async function saveStoryChange(context: DecisionContext, before: Story, after: Story): Promise<void> {
  await updateStory(context.database, after);
  context.log.push(...storyRevised(before, after));
}

/** Updates the title of a story that was named after an item; by rule, unless an editor wrote the title. */
export async function retitleStory(
  context: DecisionContext,
  id: Id<'story'>,
  title: { readonly from: string; readonly to: string; readonly isCorrection: boolean },
): Promise<void> {
  const [story] = await lockStories(context, [id]);
  if (story?.title !== title.from || (story.byEditor.includes('title') && !title.isCorrection)) return;
  await saveStoryChange(context, story, withTitle(story, title.to));
}

/** Gives a story that is named after an item that has left it the title of its earliest item, unless an editor wrote it. */
export async function retitleStoryNamedAfter(
  context: DecisionContext,
  story: Story,
  goneTitles: readonly string[],
): Promise<void> {
  if (!goneTitles.includes(story.title) || story.byEditor.includes('title')) return;
  const title = (await readFirstTitle(context.database, story.id)) ?? '';
  await saveStoryChange(context, story, withTitle(story, title));
}

/** Deletes the digests if one of them cites an item which leaves the story: they are written again together. */
export async function dropDigestsCiting(
  context: DecisionContext,
  story: Story,
  itemIds: readonly Id<'item'>[],
): Promise<Story> {
  const digests = [story.digest, story.otherDigest].filter((digest) => digest !== null);
  const cites = new Set(digests.flatMap((digest) => [...citedItemIds(digest)]));
  if (!itemIds.some((id) => cites.has(id))) return story;
  const byEditor = story.byEditor.filter((part) => part === 'title');
  const bare = { ...story, digest: null, otherDigest: null, byEditor };
  await saveStoryChange(context, story, bare);
  return bare;
}
