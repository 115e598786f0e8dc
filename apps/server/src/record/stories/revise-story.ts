import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockUnmergedStories, saveStoryChange } from './story-changes.ts';
import { readUnwithdrawnItemIds } from './story-store.ts';
import type { Story, StoryDigest, StoryFault } from './story.ts';
import { citedItemIds, withTitle } from './story.ts';

type DigestToWrite = Omit<StoryDigest, 'updatedAt'>;

export interface StoryRevision {
  readonly title?: string;
  readonly storylineId?: Id<'storyline'> | null;
  /** In the language of the (new) title, and in the other one. */
  readonly digest?: DigestToWrite | null;
  readonly otherDigest?: DigestToWrite | null;
}

export type ReviseStoryFault = StoryFault | 'cites_outside_story' | 'title_changed';

export async function reviseStory(
  context: DecisionContext,
  request: {
    readonly storyId: Id<'story'>;
    readonly changes: StoryRevision;
    /** Refused if the story has another title by now. */
    readonly titleBefore?: string;
  },
): Promise<DecisionResult<'revised', ReviseStoryFault>> {
  const { storyId, changes } = request;
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  const [story] = locked.value as [Story];
  if (request.titleBefore !== undefined && request.titleBefore !== story.title)
    return refused('title_changed');
  const { title = story.title, storylineId = story.storylineId } = changes;
  const written = [changes.digest, changes.otherDigest].filter((one) => one !== undefined && one !== null);
  if (written.length > 0) {
    const items = await readUnwithdrawnItemIds(context.database, storyId);
    for (const digest of written)
      for (const id of citedItemIds(digest)) if (!items.has(id)) return refused('cites_outside_story');
  }
  const retitled = withTitle(story, title);
  await saveStoryChange(context, story, {
    ...retitled,
    storylineId,
    digest: revisedDigest(context, retitled.digest, changes.digest),
    otherDigest: revisedDigest(context, retitled.otherDigest, changes.otherDigest),
  });
  return decided('revised', stale(recordCacheTags.stories));
}

function revisedDigest(
  context: DecisionContext,
  current: StoryDigest | null,
  written: DigestToWrite | null | undefined,
): StoryDigest | null {
  if (written === undefined) return current;
  return written === null ? null : { ...written, updatedAt: isoMilliseconds(context.now) };
}
