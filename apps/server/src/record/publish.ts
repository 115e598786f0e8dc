import type { Result } from '../foundation/result.ts';
import type { PublisherDeps, Work } from './decision.ts';
import { decide } from './decision.ts';
import { issueEdition } from './editions/issue-edition.ts';
import { correctEdition, reviseEdition } from './editions/revise-edition.ts';
import { publishItem } from './items/publish-item.ts';
import { regroupItem } from './items/regroup-item.ts';
import { reviseItem } from './items/revise-item.ts';
import { selectItem, unselectItem } from './items/select-item.ts';
import { withdrawItem } from './items/withdraw-item.ts';
import { publishRanking } from './rankings/publish-ranking.ts';
import { assignToStory } from './stories/assign-to-story.ts';
import { mergeStories } from './stories/merge-stories.ts';
import { openStory } from './stories/open-story.ts';
import { reviseStory } from './stories/revise-story.ts';
import { splitStory } from './stories/split-story.ts';

/** The one writer of the record: each method is one decision and one transaction. */
export type Publisher = ReturnType<typeof createPublisher>;

export function createPublisher(deps: PublisherDeps) {
  const decision =
    <Request, Value, Reason extends string>(
      make: (work: Work, request: Request) => Promise<Result<Value, Reason>>,
    ) =>
    (request: Request): Promise<Result<Value, Reason>> =>
      decide(deps, (work) => make(work, request));
  return {
    publishItem: decision(publishItem),
    reviseItem: decision(reviseItem),
    regroupItem: decision(regroupItem),
    selectItem: decision(selectItem),
    unselectItem: decision(unselectItem),
    withdrawItem: decision(withdrawItem),
    openStory: decision(openStory),
    assignToStory: decision(assignToStory),
    reviseStory: decision(reviseStory),
    mergeStories: decision(mergeStories),
    splitStory: decision(splitStory),
    publishRanking: decision(publishRanking),
    issueEdition: decision(issueEdition),
    reviseEdition: decision(reviseEdition),
    correctEdition: decision(correctEdition),
  };
}
