import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import type { ItemFault } from '../items/opened-item.ts';
import { lockItems, lockStories } from '../locking.ts';
import { dropDigestCiting, lockStandingStories, recountStories } from './opened-story.ts';
import { moveReports } from './story-store.ts';
import type { StoryFault } from './story.ts';

export type AssignFault = ItemFault | StoryFault;

/** Items leave whatever story they were in. */
export async function assignToStory(
  work: Work,
  request: { readonly storyId: Id<'story'>; readonly itemIds: readonly Id<'item'>[] },
): Promise<Result<'assigned', AssignFault>> {
  const moved = await moveItems(work, request.itemIds, request.storyId, () =>
    lockStandingStories(work, [request.storyId]),
  );
  return moved.ok ? accepted('assigned') : moved;
}

/** Locks the items, then their stories and the new one; every story is recounted. */
export async function moveItems<Fault extends string = never>(
  work: Work,
  itemIds: readonly Id<'item'>[],
  storyId: Id<'story'>,
  checkTarget?: () => Promise<Result<unknown, Fault>>,
): Promise<Result<null, ItemFault | Fault>> {
  const wanted = [...new Set(itemIds)];
  const items = await lockItems(work, wanted);
  if (items.length < wanted.length) return refused('unknown_item');
  if (items.some(({ withdrawnAt }) => withdrawnAt !== null)) return refused('withdrawn_item');
  const left = items.map((item) => item.storyId).filter((id) => id !== null && id !== storyId);
  const stories = await lockStories(work, [...new Set([storyId, ...left])] as Id<'story'>[]);
  const target = await checkTarget?.();
  if (target !== undefined && !target.ok) return target;
  await moveReports(work.database, wanted, storyId);
  for (const story of stories) {
    if (story.id !== storyId) await dropDigestCiting(work, story, wanted);
  }
  await recountStories(
    work,
    stories.map(({ id }) => id),
  );
  return accepted(null);
}
