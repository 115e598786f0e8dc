import type { Clock } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import { accepted } from '../../foundation/result.ts';
import { requestDigestsAtOnce } from '../publication/digest-story.ts';
import { mergeStories, splitStory } from '../stories/editor-decisions.ts';
import type { Decide, FormState } from './decide.ts';
import { deskActions } from './desk-actions.ts';

/** Decisions of editors about stories. Text that they type is checked before. */
export function storyDecisions(deps: StoryDeps, decide: Decide) {
  return {
    mergeStories: mergeBy(deps, decide),
    splitStory: splitBy(deps, decide),
    retitleStory: retitleBy(decide),
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
    ...form
  }: FormState & {
    readonly absorbedId: Id<'story'>;
    readonly survivorId: Id<'story'>;
    readonly reason: string;
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
        const merged = await mergeStories(deps, transaction, decisions, request);
        if (!merged.ok) return merged;
        await requestDigestsAtOnce(transaction, deps.clock, [survivorId]);
        const detail = { into: survivorId, items: merged.value.movedItemIds };
        return accepted({ value: merged.value, detail });
      },
    );
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
        const request = { storyId, itemIds, title, reason };
        const split = await splitStory(deps, transaction, decisions, request);
        if (!split.ok) return split;
        await requestDigestsAtOnce(transaction, deps.clock, [storyId, split.value.storyId]);
        const detail = { storyId: split.value.storyId, items: [...itemIds] };
        return accepted({ value: split.value, detail });
      },
    );
}

/** Rules no longer change the title, also if a later report contradicts it. The reason is for editors. */
function retitleBy(decide: Decide) {
  return ({
    storyId,
    title,
    reason,
    ...form
  }: FormState & { readonly storyId: Id<'story'>; readonly title: string; readonly reason: string }) =>
    decide(
      {
        action: 'retitle',
        subject: { kind: 'story', id: storyId },
        permission: deskActions.stories.update,
        reason,
        ...form,
      },
      async (_transaction, decisions) => {
        const revised = await decisions.reviseStory({ storyId, changes: { title } });
        return revised.ok ? accepted({ value: revised.value, detail: {} }) : revised;
      },
    );
}
