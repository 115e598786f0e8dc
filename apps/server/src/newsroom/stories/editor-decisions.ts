import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Decisions } from '../../record/index.ts';
import { repeatsError } from './matching/corrected-title.ts';
import type { StoryDecisionKind } from './story-decision-store.ts';
import { insertStoryDecisions, readPlacedItems, readStoryTitle } from './story-decision-store.ts';

interface DecisionDeps {
  readonly clock: Clock;
}

/** An editor's decision that some items are another event. Late evidence does not merge the two again. */
export async function splitStory(
  deps: DecisionDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  request: Parameters<Decisions['splitStory']>[0],
): ReturnType<Decisions['splitStory']> {
  const split = await decisions.splitStory(request);
  if (!split.ok) return split;
  await rememberDecisions(deps, transaction, {
    kind: 'split',
    itemIds: request.itemIds,
    storyId: split.value.storyId,
    otherStoryId: request.storyId,
  });
  return split;
}

/** An editor's decision that two stories are one event. */
export async function mergeStories(
  deps: DecisionDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  request: Parameters<Decisions['mergeStories']>[0],
): ReturnType<Decisions['mergeStories']> {
  const merged = await decisions.mergeStories(request);
  if (!merged.ok) return merged;
  await rememberDecisions(deps, transaction, {
    kind: 'merge',
    itemIds: merged.value.movedItemIds,
    storyId: request.survivorId,
    otherStoryId: request.absorbedId,
  });
  return merged;
}

/** Undoes a merge by an editor. Late evidence does not merge the two again. */
export async function unmergeStories(
  deps: DecisionDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  request: Parameters<Decisions['unmergeStories']>[0],
): ReturnType<Decisions['unmergeStories']> {
  const separated = await decisions.unmergeStories(request);
  if (!separated.ok) return separated;
  await rememberDecisions(deps, transaction, {
    kind: 'split',
    itemIds: request.itemIds,
    storyId: request.absorbedId,
    otherStoryId: request.survivorId,
  });
  return separated;
}

/** An editor's correction of an item. A story whose title contains the corrected error takes the corrected title. */
export async function correctItem(
  transaction: Transaction<DB>,
  decisions: Decisions,
  {
    storyTitle = null,
    ...request
  }: Parameters<Decisions['correctItem']>[0] & {
    /** Of an undo: the title of the story before, instead of the corrected one. */
    readonly storyTitle?: { readonly from: string; readonly to: string } | null;
  },
): ReturnType<Decisions['correctItem']> {
  const { itemId, changes } = request;
  const before = (await readPlacedItems(transaction, [itemId])).get(itemId);
  const titleBefore =
    before === undefined || before.storyId === null
      ? null
      : await readStoryTitle(transaction, before.storyId);
  const corrected = await decisions.correctItem(request);
  if (!corrected.ok || changes.title === undefined || before === undefined || before.storyId === null)
    return corrected;
  if (titleBefore !== null && titleBefore === storyTitle?.from) {
    await decisions.reviseStory({ storyId: before.storyId, changes: { title: storyTitle.to }, byEditor: {} });
    return corrected;
  }
  const title = await readStoryTitle(transaction, before.storyId);
  const correction = { before: before.title, after: changes.title };
  if (title !== null && title !== changes.title && repeatsError(title, correction))
    await decisions.reviseStory({ storyId: before.storyId, changes: { title: changes.title }, byEditor: {} });
  return corrected;
}

async function rememberDecisions(
  { clock }: DecisionDeps,
  transaction: Transaction<DB>,
  decided: {
    readonly kind: StoryDecisionKind;
    readonly itemIds: readonly Id<'item'>[];
    readonly storyId: Id<'story'>;
    readonly otherStoryId: Id<'story'>;
  },
): Promise<void> {
  const { itemIds, ...rest } = decided;
  const all = { decidedAt: clock.now(), ruleVersion: 'editor', detail: {}, ...rest };
  await insertStoryDecisions(
    transaction,
    itemIds.map((itemId) => ({ ...all, itemId })),
  );
}
