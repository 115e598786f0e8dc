import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { recordTopics } from '../topics.ts';
import { lockStandingStories } from './opened-story.ts';
import { readStandingReportIds, replaceNeighbours, updateStory } from './story-store.ts';
import type { Neighbour, Story, StoryDigest, StoryFault } from './story.ts';
import { citesOf, neighboursMax } from './story.ts';

export interface StoryRevision {
  readonly title?: string;
  readonly storylineId?: Id<'storyline'> | null;
  readonly digest?: Omit<StoryDigest, 'updatedAt'> | null;
  /** All of them, in order; those that were there before and are not named go. */
  readonly neighbours?: readonly Neighbour[];
}

export type ReviseStoryFault = StoryFault | 'cites_outside_story' | 'impossible_neighbours';

export async function reviseStory(
  work: Work,
  request: { readonly storyId: Id<'story'>; readonly changes: StoryRevision },
): Promise<Result<'revised', ReviseStoryFault>> {
  const { storyId, changes } = request;
  const neighbourIds = (changes.neighbours ?? []).map((neighbour) => neighbour.storyId);
  if (
    new Set([storyId, ...neighbourIds]).size <= neighbourIds.length ||
    neighbourIds.length > neighboursMax
  ) {
    return refused('impossible_neighbours');
  }
  const locked = await lockStandingStories(work, [storyId, ...neighbourIds]);
  if (!locked.ok) return locked;
  const story = locked.value.find(({ id }) => id === storyId) as Story;
  const digest = revisedDigest(work, story, changes);
  if (changes.digest !== undefined && digest !== null) {
    const standing = await readStandingReportIds(work.database, storyId);
    for (const id of citesOf(digest)) if (!standing.has(id)) return refused('cites_outside_story');
  }
  const { title = story.title, storylineId = story.storylineId } = changes;
  await updateStory(work.database, { id: storyId, title, storylineId, digest });
  if (changes.neighbours !== undefined) {
    await replaceNeighbours(work.database, storyId, changes.neighbours);
  }
  work.topics.add(recordTopics.stories);
  return accepted('revised');
}

function revisedDigest(work: Work, story: Story, { digest }: StoryRevision): StoryDigest | null {
  if (digest === undefined) return story.digest;
  return digest === null ? null : { ...digest, updatedAt: isoMilliseconds(work.now) };
}
