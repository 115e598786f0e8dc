import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { purge, recordCacheTags, storiesChanged, storyTag } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { moveItems } from './assign-to-story.ts';
import { storyOpened } from './logged-story.ts';
import { lockUnmergedStories } from './story-changes.ts';
import { insertStory, readUnwithdrawnItemIds } from './story-store.ts';
import type { StoryFault } from './story.ts';

export interface StoryToSplit {
  readonly storyId: Id<'story'>;
  /** Some of its items, not all, which become a story of their own. */
  readonly itemIds: readonly Id<'item'>[];
  readonly title: string;
  readonly newStoryId?: Id<'story'>;
  /** An editor wrote the title: rules leave it as it is. */
  readonly titleByEditor?: boolean;
  /** An editor's public reason; without one, no correction is recorded. */
  readonly reason?: string;
}

export type SplitFault = ItemFault | StoryFault | ReasonFault | 'already_open' | 'not_a_part';

export async function splitStory(
  context: DecisionContext,
  request: StoryToSplit,
): Promise<DecisionResult<{ readonly storyId: Id<'story'> }, SplitFault>> {
  const { storyId, itemIds, title, reason } = request;
  if (reason !== undefined && !isReason(reason)) return refused('invalid_reason');
  const items = await readUnwithdrawnItemIds(context.database, storyId);
  const part = new Set(itemIds);
  if (part.size === 0 || part.size >= items.size || !isWithin(part, items)) return refused('not_a_part');
  const id = request.newStoryId ?? context.ids.next<'story'>();
  const byEditor = request.titleByEditor === true ? (['title'] as const) : [];
  const opened = { id, title, storylineId: null, byEditor, splitFrom: storyId };
  if (!(await insertStory(context.database, opened))) return refused('already_open');
  context.log.push(storyOpened({ id, title, splitFrom: storyId }));
  const moved = await moveItems(context, itemIds, id, async () => {
    const source = await lockUnmergedStories(context, [storyId]);
    if (!source.ok) return source;
    // Read before the items were locked: they may have left, or be the only ones left.
    const now = await readUnwithdrawnItemIds(context.database, storyId);
    if (!isWithin(part, now) || part.size >= now.size) throw new ConcurrentChange();
    return source;
  });
  if (!moved.ok) return moved;
  if (reason === undefined) return decided({ storyId: id }, storiesChanged);
  await recordCorrection(context, {
    action: 'split',
    subject: { kind: 'story', id: storyId },
    reason,
    otherStoryId: id,
  });
  const { stories, hotTopics, corrections } = recordCacheTags;
  return decided({ storyId: id }, purge(stories, hotTopics, corrections, storyTag(storyId), storyTag(id)));
}

function isWithin<Member>(part: ReadonlySet<Member>, whole: ReadonlySet<Member>): boolean {
  return [...part].every((member) => whole.has(member));
}
