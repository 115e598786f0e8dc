import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockItems } from '../locking.ts';
import { lockUnmergedStories } from './story-changes.ts';
import { readItemIds, readUnwithdrawnItemIds } from './story-store.ts';
import type { Story, StoryFault, StoryPart } from './story.ts';

/** A story as an editor sees it. */
export interface StoryState {
  readonly title: string;
  /** Not withdrawn, by id. */
  readonly itemIds: readonly Id<'item'>[];
  readonly byEditor: readonly StoryPart[];
  readonly digest: Story['digest'];
  readonly otherDigest: Story['otherDigest'];
}

/** Changes nothing. The story and its items stay as returned until the transaction ends, except for new items. */
export async function inspectStory(
  context: DecisionContext,
  { storyId }: { readonly storyId: Id<'story'> },
): Promise<DecisionResult<StoryState, StoryFault>> {
  const itemIds = await readItemIds(context.database, storyId);
  await lockItems(context, itemIds);
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  const now = await readUnwithdrawnItemIds(context.database, storyId);
  const known = new Set(itemIds);
  if ([...now].some((id) => !known.has(id))) throw new ConcurrentChange();
  const [story] = locked.value as [Story];
  const { title, byEditor, digest, otherDigest } = story;
  return decided({ title, itemIds: [...now].sort(), byEditor, digest, otherDigest });
}
