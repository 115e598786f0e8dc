import type { Transaction } from 'kysely';

import type { DB } from '../foundation/database/generated/database-types.ts';
import type { Result } from '../foundation/result.ts';
import type {
  DecisionContext,
  DecisionKind,
  DecisionResult,
  PublisherDeps,
  RunDecision,
} from './decision.ts';
import { decide, decideWithin } from './decision.ts';
import { issueEdition } from './editions/issue-edition.ts';
import { correctEdition, reviseEdition } from './editions/revise-edition.ts';
import { correctItem } from './item-decisions/correct-item.ts';
import { describeSource } from './item-decisions/describe-source.ts';
import { inspectItem } from './item-decisions/inspect-item.ts';
import type { ItemsToPublish } from './item-decisions/publish-items.ts';
import { publishItem, publishItems } from './item-decisions/publish-items.ts';
import { regroupItem } from './item-decisions/regroup-item.ts';
import { reviseItem } from './item-decisions/revise-item.ts';
import { selectItem, unselectItem } from './item-decisions/select-item.ts';
import { withdrawItem } from './item-decisions/withdraw-item.ts';
import { publishRanking } from './rankings/publish-ranking.ts';
import { assignToStory } from './stories/assign-to-story.ts';
import { inspectStory } from './stories/inspect-story.ts';
import { linkStories, unlinkStories } from './stories/link-stories.ts';
import { mergeStories } from './stories/merge-stories.ts';
import { openStory } from './stories/open-story.ts';
import { reviseStory } from './stories/revise-story.ts';
import { splitStory } from './stories/split-story.ts';
import { unmergeStories } from './stories/unmerge-stories.ts';

/** All changes of the record, one decision each. */
export type Decisions = ReturnType<typeof decisionsBy>;

/**
 * The only writer of the record. Each decision runs in a transaction of its own; `within` takes several in the
 * caller's transaction, so that their changes commit together with the caller's rows.
 */
export interface Publisher extends Decisions {
  readonly within: <Value>(
    transaction: Transaction<DB>,
    decideAll: (decisions: Decisions) => Promise<Value>,
  ) => Promise<Value>;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  return {
    ...decisionsBy((decision) => decide(deps, decision)),
    within: (transaction, decideAll) => decideWithin(deps, transaction, (run) => decideAll(decisionsBy(run))),
  };
}

function decisionsBy(run: RunDecision) {
  const decision =
    <Request, Value, Reason extends string>(
      make: (context: DecisionContext, request: Request) => Promise<DecisionResult<Value, Reason>>,
      kind: DecisionKind = 'change',
    ) =>
    (request: Request): Promise<Result<Value, Reason>> =>
      run((context) => make(context, request), kind);
  return {
    inspectItem: decision(inspectItem, 'inspection'),
    inspectStory: decision(inspectStory, 'inspection'),
    describeSource: decision(describeSource),
    publishItem: decision(publishItem),
    publishItems: decision((context, request: ItemsToPublish) => publishItems(context, request)),
    reviseItem: decision(reviseItem),
    correctItem: decision(correctItem),
    regroupItem: decision(regroupItem),
    selectItem: decision(selectItem),
    unselectItem: decision(unselectItem),
    withdrawItem: decision(withdrawItem),
    openStory: decision(openStory),
    assignToStory: decision(assignToStory),
    reviseStory: decision(reviseStory),
    linkStories: decision(linkStories),
    unlinkStories: decision(unlinkStories),
    mergeStories: decision(mergeStories),
    unmergeStories: decision(unmergeStories),
    splitStory: decision(splitStory),
    publishRanking: decision(publishRanking),
    issueEdition: decision(issueEdition),
    reviseEdition: decision(reviseEdition),
    correctEdition: decision(correctEdition),
  };
}
