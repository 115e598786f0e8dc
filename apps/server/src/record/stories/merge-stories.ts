import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { purge, recordCacheTags, storiesChanged, storyTag } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { StoredItem } from '../items/item-store.ts';
import { itemRevised } from '../items/logged-item.ts';
import { lockItems, lockStories } from '../locking.ts';
import { writeFormerStory } from '../log/log-content-store.ts';
import { storyMerged } from './logged-story.ts';
import { dropWeakestLinks, moveLinks, readLinks } from './story-link-store.ts';
import {
  setStoryOfItems,
  readItemIds,
  readLinkedAndMergedStoryIds,
  readMergedStoryIds,
  redirectStory,
  updateStory,
  updateStoryCounts,
} from './story-store.ts';
import type { Story, StoryFault, StoryLink } from './story.ts';
import { citedItemIds } from './story.ts';

/** What a merge changes beside the items: enough to undo it. */
export interface BeforeMerge {
  readonly absorbed: MergedPart;
  readonly survivor: MergedPart;
  /** Stories that were merged into the absorbed one before. */
  readonly redirectedIds: readonly Id<'story'>[];
  /** The items that the digests of both cite. */
  readonly citedItemIds: readonly Id<'item'>[];
}

export type MergedPart = Pick<Story, 'title' | 'storylineId' | 'digest' | 'otherDigest' | 'byEditor'> & {
  readonly links: readonly StoryLink[];
};

interface MergedStories {
  readonly movedItemIds: readonly Id<'item'>[];
  /** Null for routine work of the newsroom. */
  readonly before: BeforeMerge | null;
}

/** Merges a story into another: its items move, and its id redirects to the survivor permanently. */
export async function mergeStories(
  context: DecisionContext,
  request: {
    readonly absorbedId: Id<'story'>;
    readonly survivorId: Id<'story'>;
    /** An editor's public reason; without one it is routine work of the newsroom and no correction. */
    readonly reason?: string;
  },
): Promise<DecisionResult<MergedStories, StoryFault | ReasonFault | 'same_story'>> {
  const { absorbedId, survivorId, reason } = request;
  if (reason !== undefined && !isReason(reason)) return refused('invalid_reason');
  if (absorbedId === survivorId) return refused('same_story');
  const [itemIds, aroundIds] = [
    await readItemIds(context.database, absorbedId),
    await readLinkedAndMergedStoryIds(context.database, absorbedId),
  ];
  const items = await lockItems(context, itemIds);
  const stories = await lockStories(context, [...new Set([absorbedId, survivorId, ...aroundIds])]);
  const absorbed = stories.find(({ id }) => id === absorbedId);
  const survivor = stories.find(({ id }) => id === survivorId);
  if (absorbed === undefined || survivor === undefined) return refused('unknown_story');
  if (absorbed.mergedInto !== null || survivor.mergedInto !== null) return refused('merged_story');
  // Read before the items were locked: an item that has moved to another story meanwhile stays there.
  const movedItemIds = await readItemIds(context.database, absorbedId);
  const grown =
    hasOthers(movedItemIds, itemIds) ||
    hasOthers(await readLinkedAndMergedStoryIds(context.database, absorbedId), aroundIds);
  if (grown) throw new ConcurrentChange();
  const before = reason === undefined ? null : await readBeforeMerge(context, absorbed, survivor);
  const redirected = stories.filter((story) => story.mergedInto === absorbedId);
  const moved = items.filter((item) => item.storyId === absorbedId);
  await absorb(context, { absorbed, survivor, redirected }, moved);
  if (reason === undefined) return decided({ movedItemIds, before }, storiesChanged);
  await recordCorrection(context, {
    action: 'merged',
    subject: { kind: 'story', id: absorbedId },
    reason,
    otherStoryId: survivorId,
  });
  const { stories: list, hotTopics, corrections } = recordCacheTags;
  return decided(
    { movedItemIds, before },
    purge(list, hotTopics, corrections, ...stories.map(({ id }) => storyTag(id))),
  );
}

async function readBeforeMerge(
  { database }: DecisionContext,
  absorbed: Story,
  survivor: Story,
): Promise<BeforeMerge> {
  const partOf = async ({ id, ...story }: Story): Promise<MergedPart> => {
    const { title, storylineId, digest, otherDigest, byEditor } = story;
    return { title, storylineId, digest, otherDigest, byEditor, links: await readLinks(database, id) };
  };
  const digests = [absorbed, survivor]
    .flatMap(({ digest, otherDigest }) => [digest, otherDigest])
    .filter((digest) => digest !== null);
  return {
    absorbed: await partOf(absorbed),
    survivor: await partOf(survivor),
    redirectedIds: await readMergedStoryIds(database, absorbed.id),
    citedItemIds: [...new Set(digests.flatMap((digest) => [...citedItemIds(digest)]))],
  };
}

async function absorb(
  context: DecisionContext,
  stories: {
    readonly absorbed: Story;
    readonly survivor: Story;
    /** Merged into the absorbed one before. */
    readonly redirected: readonly Story[];
  },
  items: readonly StoredItem[],
): Promise<void> {
  const { absorbed, survivor, redirected } = stories;
  const itemIds = items.map(({ id }) => id);
  await setStoryOfItems(context.database, itemIds, survivor.id);
  if (survivor.storylineId === null && absorbed.storylineId !== null) {
    await updateStory(context.database, { ...survivor, storylineId: absorbed.storylineId });
  }
  const merge = { absorbed: absorbed.id, survivor: survivor.id, at: context.now };
  await redirectStory(context.database, merge);
  await moveLinks(context.database, merge);
  await dropWeakestLinks(context.database, [survivor.id], context.now);
  await updateStoryCounts(context.database, [absorbed.id, survivor.id]);
  for (const story of [absorbed, ...redirected]) context.log.push(storyMerged(story, survivor.id));
  for (const item of items)
    if (item.withdrawnAt === null) context.log.push(...itemRevised(item, { ...item, storyId: survivor.id }));
  const withdrawn = items.filter(({ withdrawnAt }) => withdrawnAt !== null);
  await writeFormerStory(
    context.database,
    withdrawn.map(({ id }) => id),
    absorbed.id,
  );
}

function hasOthers<Key>(now: readonly Key[], before: readonly Key[]): boolean {
  const known = new Set(before);
  return now.some((id) => !known.has(id));
}
