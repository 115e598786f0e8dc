import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { DecisionContext } from '../decision.ts';
import { lockUnmergedStories } from './story-changes.ts';
import { deleteLinks, dropWeakestLinks, upsertLinks } from './story-link-store.ts';
import type { StoryFault, StoryLink } from './story.ts';

export type LinkFault = StoryFault | 'impossible_links';

/** Links a story to others, or changes how; a story that then has too many loses the weakest. */
export async function linkStories(
  context: DecisionContext,
  { storyId, links }: { readonly storyId: Id<'story'>; readonly links: readonly StoryLink[] },
): Promise<Result<'linked', LinkFault>> {
  const ids = [storyId, ...links.map((link) => link.storyId)];
  const possible = links.every(({ strength }) => strength >= 0 && strength <= 1);
  if (new Set(ids).size < ids.length || !possible) return refused('impossible_links');
  const locked = await lockUnmergedStories(context, ids);
  if (!locked.ok) return locked;
  await upsertLinks(context.database, storyId, links);
  await dropWeakestLinks(context.database, ids);
  context.cacheTags.add(recordCacheTags.stories);
  return accepted('linked');
}

export async function unlinkStories(
  context: DecisionContext,
  { storyId, otherIds }: { readonly storyId: Id<'story'>; readonly otherIds: readonly Id<'story'>[] },
): Promise<Result<'unlinked', StoryFault>> {
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  await deleteLinks(context.database, storyId, otherIds);
  context.cacheTags.add(recordCacheTags.stories);
  return accepted('unlinked');
}
