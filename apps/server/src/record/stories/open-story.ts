import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { storiesChanged } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { moveItems } from './assign-to-story.ts';
import { storyOpened } from './logged-story.ts';
import { insertStory } from './story-store.ts';

export interface StoryToOpen {
  /** Passed by callers that retry after a crash, so that the story is opened only once. */
  readonly id?: Id<'story'>;
  readonly title: string;
  readonly storylineId?: Id<'storyline'>;
  readonly itemIds: readonly Id<'item'>[];
}

export async function openStory(
  context: DecisionContext,
  request: StoryToOpen,
): Promise<DecisionResult<{ readonly storyId: Id<'story'> }, ItemFault | 'already_open'>> {
  const id = request.id ?? context.ids.next<'story'>();
  const { title, storylineId = null } = request;
  if (!(await insertStory(context.database, { id, title, storylineId }))) return refused('already_open');
  context.log.push(storyOpened({ id, title }));
  const moved = await moveItems(context, request.itemIds, id);
  if (!moved.ok) return moved;

  return decided({ storyId: id }, storiesChanged);
}
