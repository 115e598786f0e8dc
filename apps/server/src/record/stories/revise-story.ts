import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockUnmergedStories } from './story-changes.ts';
import { readUnwithdrawnItemIds, updateStory } from './story-store.ts';
import type { Story, StoryDigest, StoryFault } from './story.ts';
import { citedItemIds } from './story.ts';

export interface StoryRevision {
  readonly title?: string;
  readonly storylineId?: Id<'storyline'> | null;
  readonly digest?: Omit<StoryDigest, 'updatedAt'> | null;
}

export type ReviseStoryFault = StoryFault | 'cites_outside_story';

export async function reviseStory(
  context: DecisionContext,
  request: { readonly storyId: Id<'story'>; readonly changes: StoryRevision },
): Promise<DecisionResult<'revised', ReviseStoryFault>> {
  const { storyId, changes } = request;
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  const [story] = locked.value as [Story];
  const digest = revisedDigest(context, story, changes);
  if (changes.digest !== undefined && digest !== null) {
    const items = await readUnwithdrawnItemIds(context.database, storyId);
    for (const id of citedItemIds(digest)) if (!items.has(id)) return refused('cites_outside_story');
  }
  const { title = story.title, storylineId = story.storylineId } = changes;
  await updateStory(context.database, { id: storyId, title, storylineId, digest });
  return decided('revised', stale(recordCacheTags.stories));
}

function revisedDigest(
  context: DecisionContext,
  story: Story,
  { digest }: StoryRevision,
): StoryDigest | null {
  if (digest === undefined) return story.digest;
  return digest === null ? null : { ...digest, updatedAt: isoMilliseconds(context.now) };
}
