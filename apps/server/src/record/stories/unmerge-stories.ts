import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { purge, recordCacheTags, storyTag } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { StoredItem } from '../items/item-store.ts';
import { itemRevised } from '../items/logged-item.ts';
import { lockItems, lockStories } from '../locking.ts';
import { writeFormerStory } from '../log/log-content-store.ts';
import { storyMerged, storyReopened } from './logged-story.ts';
import type { BeforeMerge, MergedPart } from './merge-stories.ts';
import { dropDigestsCiting, retitleStoryNamedAfter, saveStoryChange } from './story-changes.ts';
import { deleteLinks, dropWeakestLinks, upsertLinks } from './story-link-store.ts';
import {
  readItemIds,
  readLinkedAndMergedStoryIds,
  readUnwithdrawnItemIds,
  reopenStory,
  setStoryOfItems,
  updateStory,
  updateStoryCounts,
} from './story-store.ts';
import type { Story, StoryFault, StoryLink } from './story.ts';
import { citedItemIds } from './story.ts';

export interface StoriesToSeparate {
  readonly absorbedId: Id<'story'>;
  readonly survivorId: Id<'story'>;
  /** The items that the merge moved. */
  readonly itemIds: readonly Id<'item'>[];
  readonly before: BeforeMerge;
  /** Public. */
  readonly reason: string;
}

/**
 * Undoes a merge: the absorbed story has its id, title, items and links again. Refused if the stories changed so much
 * since that this would undo other decisions as well: another merge of either, or items that left the survivor.
 */
export async function unmergeStories(
  context: DecisionContext,
  request: StoriesToSeparate,
): Promise<DecisionResult<'separated', StoryFault | ReasonFault | 'changed_since'>> {
  const { absorbedId, survivorId, itemIds, before, reason } = request;
  if (!isReason(reason)) return refused('invalid_reason');
  const aroundIds = await readLinkedAndMergedStoryIds(context.database, survivorId);
  const others = before.absorbed.links.map(({ storyId }) => storyId);
  const moved = await lockItems(context, itemIds);
  const stories = await lockStories(context, [
    ...new Set([absorbedId, survivorId, ...aroundIds, ...others, ...before.redirectedIds]),
  ]);
  const absorbed = stories.find(({ id }) => id === absorbedId);
  const survivor = stories.find(({ id }) => id === survivorId);
  if (absorbed === undefined || survivor === undefined) return refused('unknown_story');
  const items = new Set(await readItemIds(context.database, survivorId));
  if (
    absorbed.mergedInto !== survivorId ||
    survivor.mergedInto !== null ||
    !itemIds.every((id) => items.has(id))
  )
    return refused('changed_since');
  const around = new Set(aroundIds);
  if ((await readLinkedAndMergedStoryIds(context.database, survivorId)).some((id) => !around.has(id)))
    throw new ConcurrentChange();
  const bare = await dropDigestsCiting(context, survivor, itemIds);
  await setStoryOfItems(context.database, itemIds, absorbedId);
  await reopenStory(context.database, { id: absorbedId, survivorId, redirectedIds: before.redirectedIds });
  const titles = moved.map(({ title }) => title);
  await separate(context, { absorbed, survivor, bare, before, titles });
  await logMoves(context, { moved, stories, request });
  const isLive = ({ id, mergedInto }: Story): boolean => id === absorbedId || mergedInto === null;
  const live = new Set(stories.filter(isLive).map(({ id }) => id));
  await separateLinks(context, request, live);
  await updateStoryCounts(context.database, [absorbedId, survivorId]);
  await recordCorrection(context, {
    action: 'split',
    subject: { kind: 'story', id: survivorId },
    reason,
    otherStoryId: absorbedId,
  });
  const { stories: list, hotTopics, corrections } = recordCacheTags;
  return decided('separated', purge(list, hotTopics, corrections, ...stories.map(({ id }) => storyTag(id))));
}

/** The items say that they are in the reopened story, and the stories that lead to it that they do. */
async function logMoves(
  context: DecisionContext,
  {
    moved,
    stories,
    request: { absorbedId, survivorId, before },
  }: {
    readonly moved: readonly StoredItem[];
    readonly stories: readonly Story[];
    readonly request: StoriesToSeparate;
  },
): Promise<void> {
  for (const item of moved)
    if (item.withdrawnAt === null) context.log.push(...itemRevised(item, { ...item, storyId: absorbedId }));
  for (const story of stories)
    if (before.redirectedIds.includes(story.id) && story.mergedInto === survivorId)
      context.log.push(storyMerged(story, absorbedId));
  const withdrawn = moved.filter(({ withdrawnAt }) => withdrawnAt !== null);
  await writeFormerStory(
    context.database,
    withdrawn.map(({ id }) => id),
    survivorId,
  );
}

/** Digests of before return if their items are in the story again and no other digest was written since. */
async function separate(
  context: DecisionContext,
  {
    absorbed,
    survivor,
    bare,
    before,
    titles,
  }: {
    readonly absorbed: Story;
    readonly survivor: Story;
    /** Without the digests that cite the items. */
    readonly bare: Story;
    readonly before: BeforeMerge;
    readonly titles: readonly string[];
  },
): Promise<void> {
  const { title, byEditor, storylineId } = before.absorbed;
  const titled = byEditor.filter((part) => part === 'title');
  const open = { ...absorbed, title, storylineId, byEditor: titled, mergedInto: null };
  const reopened = await withDigestsOf(context, open, before.absorbed);
  await updateStory(context.database, reopened);
  context.log.push(storyReopened(absorbed, reopened));
  const wasJoined =
    before.survivor.storylineId === null && survivor.storylineId === before.absorbed.storylineId;
  const rest = bare.digest === null ? await withDigestsOf(context, bare, before.survivor) : bare;
  const remaining = { ...rest, ...(wasJoined && { storylineId: null }) };
  await saveStoryChange(context, bare, remaining);
  await retitleStoryNamedAfter(context, remaining, titles);
}

async function withDigestsOf(
  { database }: DecisionContext,
  story: Story,
  { digest, otherDigest, byEditor }: MergedPart,
): Promise<Story> {
  const items = await readUnwithdrawnItemIds(database, story.id);
  const isValid = [digest, otherDigest].every(
    (one) => one === null || [...citedItemIds(one)].every((id) => items.has(id)),
  );
  if (!isValid) return story;
  const digests = byEditor.filter((part) => part !== 'title');
  const parts = [...story.byEditor.filter((part) => part === 'title'), ...digests].sort();
  return { ...story, digest, otherDigest, byEditor: parts };
}

/** Both have the links of before, and the survivor also those that it was given since. */
async function separateLinks(
  { database, now }: DecisionContext,
  { absorbedId, survivorId, before }: StoriesToSeparate,
  live: ReadonlySet<Id<'story'>>,
): Promise<void> {
  const stillThere = (links: readonly StoryLink[]) => links.filter(({ storyId }) => live.has(storyId));
  const own = new Set(before.survivor.links.map(({ storyId }) => storyId));
  const moved = before.absorbed.links.map(({ storyId }) => storyId).filter((id) => !own.has(id));
  await deleteLinks(database, survivorId, { otherIds: moved, at: now });
  const restored = [
    { storyId: survivorId, links: stillThere(before.survivor.links) },
    { storyId: absorbedId, links: [...stillThere(before.absorbed.links)] },
  ];
  await upsertLinks(database, restored, now);
  await dropWeakestLinks(database, [survivorId, absorbedId, ...moved], now);
}
