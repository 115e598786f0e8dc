import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import { lockStandingStories } from './opened-story.ts';
import { readStandingReportIds, updateStory } from './story-store.ts';
import type { Story, StoryDigest, StoryFault } from './story.ts';
import { citesOf } from './story.ts';

export interface StoryRevision {
  readonly title?: string;
  readonly storylineId?: Id<'storyline'> | null;
  readonly digest?: Omit<StoryDigest, 'updatedAt'> | null;
}

export type ReviseStoryFault = StoryFault | 'cites_outside_story';

export async function reviseStory(
  work: Work,
  request: { readonly storyId: Id<'story'>; readonly changes: StoryRevision },
): Promise<Result<'revised', ReviseStoryFault>> {
  const { storyId, changes } = request;
  const locked = await lockStandingStories(work, [storyId]);
  if (!locked.ok) return locked;
  const [story] = locked.value as [Story];
  const digest = revisedDigest(work, story, changes);
  if (changes.digest !== undefined && digest !== null) {
    const standing = await readStandingReportIds(work.database, storyId);
    for (const id of citesOf(digest)) if (!standing.has(id)) return refused('cites_outside_story');
  }
  const { title = story.title, storylineId = story.storylineId } = changes;
  await updateStory(work.database, { id: storyId, title, storylineId, digest });
  work.cacheTags.add(recordCacheTags.stories);
  return accepted('revised');
}

function revisedDigest(work: Work, story: Story, { digest }: StoryRevision): StoryDigest | null {
  if (digest === undefined) return story.digest;
  return digest === null ? null : { ...digest, updatedAt: isoMilliseconds(work.now) };
}
