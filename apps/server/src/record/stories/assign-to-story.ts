import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { storiesChanged } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { itemRevised } from '../items/logged-item.ts';
import { lockItems, lockStories } from '../locking.ts';
import { dropDigestsCiting, lockUnmergedStories, retitleStoryNamedAfter } from './story-changes.ts';
import { setStoryOfItems, updateStoryCounts } from './story-store.ts';
import type { StoryFault } from './story.ts';

export type AssignFault = ItemFault | StoryFault;

/** Moves items out of their current stories. */
export async function assignToStory(
  context: DecisionContext,
  request: { readonly storyId: Id<'story'>; readonly itemIds: readonly Id<'item'>[] },
): Promise<DecisionResult<'assigned', AssignFault>> {
  const moved = await moveItems(context, request.itemIds, request.storyId, () =>
    lockUnmergedStories(context, [request.storyId]),
  );
  return moved.ok ? decided('assigned', storiesChanged) : moved;
}

/** Locks the items, then their stories and the new one; recounts every story. */
export async function moveItems<Fault extends string = never>(
  context: DecisionContext,
  itemIds: readonly Id<'item'>[],
  storyId: Id<'story'>,
  checkTarget?: () => Promise<Result<unknown, Fault>>,
): Promise<Result<null, ItemFault | Fault>> {
  const wanted = [...new Set(itemIds)];
  const items = await lockItems(context, wanted);
  if (items.length < wanted.length) return refused('unknown_item');
  if (items.some(({ withdrawnAt }) => withdrawnAt !== null)) return refused('withdrawn_item');
  const left = items.map((item) => item.storyId).filter((id) => id !== null && id !== storyId);
  const stories = await lockStories(context, [...new Set([storyId, ...left])] as Id<'story'>[]);
  const target = await checkTarget?.();
  if (target !== undefined && !target.ok) return target;
  await setStoryOfItems(context.database, wanted, storyId);
  for (const item of items) context.log.push(...itemRevised(item, { ...item, storyId }));
  const titles = items.map(({ title }) => title);
  for (const story of stories) {
    if (story.id === storyId || story.mergedInto !== null) continue;
    await retitleStoryNamedAfter(context, await dropDigestsCiting(context, story, wanted), titles);
  }
  await updateStoryCounts(
    context.database,
    stories.map(({ id }) => id),
  );
  return accepted(null);
}
