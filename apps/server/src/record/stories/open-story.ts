import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { DecisionContext } from '../decision.ts';
import type { ItemFault } from '../items/locked-item.ts';
import { moveItems } from './assign-to-story.ts';
import { insertStory } from './story-store.ts';

export interface StoryToOpen {
  /** Given by whoever must be able to open it again after a crash without opening two. */
  readonly id?: Id<'story'>;
  readonly title: string;
  readonly storylineId?: Id<'storyline'>;
  readonly itemIds: readonly Id<'item'>[];
}

export async function openStory(
  context: DecisionContext,
  request: StoryToOpen,
): Promise<Result<{ readonly storyId: Id<'story'> }, ItemFault | 'already_open'>> {
  const id = request.id ?? context.ids.next<'story'>();
  const { title, storylineId = null } = request;
  if (!(await insertStory(context.database, { id, title, storylineId }))) return refused('already_open');
  const moved = await moveItems(context, request.itemIds, id);
  if (!moved.ok) return moved;
  return accepted({ storyId: id });
}
