import type { Clock } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Decisions, decisions } from '../../record/index.ts';
import { corrections } from '../../record/index.ts';
import { requestDigestsAtOnce } from '../publication/digest-story.ts';
import { mergeStories, splitStory, unmergeStories } from '../stories/editor-decisions.ts';
import { digestDecisions } from './decide-digest.ts';
import type { Decide, FormState, JournalledChange } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { SplitDigests } from './journal.ts';
import { deletedDigests, restoreDigests } from './restore-digests.ts';

/** Decisions of editors about stories. Text that they type is checked before. */
export function storyDecisions(deps: StoryDeps, decide: Decide) {
  return {
    mergeStories: mergeBy(deps, decide),
    unmergeStories: unmergeBy(deps, decide),
    splitStory: splitBy(deps, decide),
    retitleStory: retitleBy(decide),
    ...digestDecisions(deps, decide),
  };
}

interface StoryDeps {
  readonly clock: Clock;
}

function mergeBy(deps: StoryDeps, decide: Decide) {
  return ({
    absorbedId,
    survivorId,
    reason,
    survivorTitle,
    survivorDigests,
    ...form
  }: FormState & {
    readonly absorbedId: Id<'story'>;
    readonly survivorId: Id<'story'>;
    readonly reason: string;
    /** Of an undo of a split: the title of the story before, instead of the one that it got. */
    readonly survivorTitle?: { readonly from: string; readonly to: string };
    /** Of an undo of a split: its digests before. */
    readonly survivorDigests?: SplitDigests;
  }) =>
    decide(
      {
        action: 'merge',
        subject: { kind: 'story', id: absorbedId },
        permission: deskActions.stories.merge,
        reason,
        ...form,
      },
      async (transaction, decisions) => {
        const request = { absorbedId, survivorId, reason };
        const before = await decisions.inspectStory({ storyId: absorbedId });
        if (!before.ok) return before;
        const merged = await mergeStories(deps, transaction, decisions, request);
        if (!merged.ok) return merged;
        if (survivorTitle !== undefined)
          await decisions.reviseStory({
            storyId: survivorId,
            changes: { title: survivorTitle.to },
            titleBefore: survivorTitle.from,
            byEditor: {},
          });
        if (survivorDigests !== undefined) await restoreDigests(decisions, survivorId, survivorDigests);
        await requestDigestsAtOnce(transaction, deps.clock, [survivorId]);
        const detail = { into: survivorId, items: merged.value.movedItemIds };
        return accepted({ value: merged.value, detail, change: changeOfMerge(before.value, merged.value) });
      },
    );
}

/** The digests of both stories are words about the items that they cite. */
function changeOfMerge(
  state: decisions.StoryState,
  { before }: { readonly before: decisions.BeforeMerge | null },
): JournalledChange {
  if (before === null) throw new Error('a merge by an editor has a reason');
  const { title, itemIds } = state;
  return {
    before: { kind: 'story', title, itemIds, merge: before },
    after: { kind: 'story', title, itemIds: [] },
    itemIds: [...new Set([...itemIds, ...before.citedItemIds])],
  };
}

/** Undoes a merge: the absorbed story has its address and its items again. */
function unmergeBy(deps: StoryDeps, decide: Decide) {
  return ({
    absorbedId,
    survivorId,
    itemIds,
    before,
    reason,
    ...form
  }: FormState & Parameters<Decisions['unmergeStories']>[0]) =>
    decide(
      {
        action: 'split',
        subject: { kind: 'story', id: survivorId },
        permission: deskActions.stories.split,
        reason,
        ...form,
      },
      async (transaction, decisions) => {
        const request = { absorbedId, survivorId, itemIds, before, reason };
        const survivor = await decisions.inspectStory({ storyId: survivorId });
        if (!survivor.ok) return survivor;
        const separated = await unmergeStories(deps, transaction, decisions, request);
        if (!separated.ok) return separated;
        await requestDigestsAtOnce(transaction, deps.clock, [survivorId, absorbedId]);
        const detail = { storyId: absorbedId, items: itemIds };
        return accepted({
          value: separated.value,
          detail,
          change: await changeOfSplit(decisions, {
            storyId: survivorId,
            newId: absorbedId,
            titleBefore: survivor.value.title,
          }),
        });
      },
    );
}

/** With the new story as it is after the split. */
async function changeOfSplit(
  decisions: Decisions,
  split: {
    readonly storyId: Id<'story'>;
    readonly newId: Id<'story'>;
    /** Of the remaining story: it is renamed if it was named after an item that left it. */
    readonly titleBefore: string;
    /** The story before a split, which may delete its digests. */
    readonly story?: decisions.StoryState;
  },
): Promise<JournalledChange> {
  const [rest, opened] = [
    await decisions.inspectStory({ storyId: split.storyId }),
    await decisions.inspectStory({ storyId: split.newId }),
  ];
  if (!rest.ok || !opened.ok) throw new Error('a story that was split is not there');
  const { title, itemIds } = rest.value;
  const deleted = deletedDigests(split.story ?? null, rest.value);
  const moved = { id: split.newId, title: opened.value.title, itemIds: opened.value.itemIds };
  return {
    before: {
      kind: 'story',
      title: split.titleBefore,
      itemIds: [...itemIds, ...moved.itemIds].sort(),
      ...(deleted !== null && { split: deleted }),
    },
    after: { kind: 'story', title, itemIds, opened: moved },
    itemIds: [...itemIds, ...moved.itemIds],
  };
}

function splitBy(deps: StoryDeps, decide: Decide) {
  return ({
    storyId,
    itemIds,
    title,
    reason,
    ...form
  }: FormState & {
    readonly storyId: Id<'story'>;
    readonly itemIds: readonly Id<'item'>[];
    readonly title: string;
    readonly reason: string;
  }) =>
    decide(
      {
        action: 'split',
        subject: { kind: 'story', id: storyId },
        permission: deskActions.stories.split,
        reason,
        ...form,
      },
      async (transaction, decisions) => {
        const request = { storyId, itemIds, title, reason, titleByEditor: true };
        const before = await decisions.inspectStory({ storyId });
        if (!before.ok) return before;
        const split = await splitStory(deps, transaction, decisions, request);
        if (!split.ok) return split;
        await requestDigestsAtOnce(transaction, deps.clock, [storyId, split.value.storyId]);
        const { storyId: newId } = split.value;
        const detail = { storyId: newId, items: [...itemIds] };
        const titleBefore = before.value.title;
        const change = await changeOfSplit(decisions, { storyId, newId, titleBefore, story: before.value });
        return accepted({ value: split.value, detail, change });
      },
    );
}

/**
 * Rules no longer change the title, also if a later report contradicts it. The reason is for editors. `byEditor: false`
 * returns the title to the rules.
 */
function retitleBy(decide: Decide) {
  return ({
    storyId,
    title,
    reason,
    byEditor = true,
    statement,
    ...form
  }: FormState & {
    readonly storyId: Id<'story'>;
    readonly title: string;
    readonly reason: string;
    readonly byEditor?: boolean;
    /** Of a title that the sources do not support: published as a correction. */
    readonly statement?: string;
  }) =>
    decide(
      {
        action: 'retitle',
        subject: { kind: 'story', id: storyId },
        permission: deskActions.stories.update,
        reason,
        ...form,
      },
      async (_transaction, decisions) => {
        if (!corrections.isReason(reason)) return refused('invalid_reason');
        const before = await decisions.inspectStory({ storyId });
        if (!before.ok) return before;
        const was = before.value.byEditor.includes('title');
        if (before.value.title === title && was === byEditor) return refused('nothing_changed');
        const revised = await decisions.reviseStory({
          storyId,
          changes: { title },
          byEditor: { title: byEditor },
          ...(statement !== undefined && { reason: statement }),
        });
        return revised.ok ? accepted({ value: revised.value, detail: { was } }) : revised;
      },
    );
}
