import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import { lockStandingStories } from './opened-story.ts';
import { deleteLinks, dropWeakestLinks, upsertLinks } from './story-link-store.ts';
import type { StoryFault, StoryLink } from './story.ts';

export type LinkFault = StoryFault | 'impossible_links';

/** Links a story to others, or changes how; a story that then has too many loses the weakest. */
export async function linkStories(
  work: Work,
  { storyId, links }: { readonly storyId: Id<'story'>; readonly links: readonly StoryLink[] },
): Promise<Result<'linked', LinkFault>> {
  const ids = [storyId, ...links.map((link) => link.storyId)];
  const possible = links.every(({ strength }) => strength >= 0 && strength <= 1);
  if (new Set(ids).size < ids.length || !possible) return refused('impossible_links');
  const locked = await lockStandingStories(work, ids);
  if (!locked.ok) return locked;
  await upsertLinks(work.database, storyId, links);
  await dropWeakestLinks(work.database, ids);
  work.cacheTags.add(recordCacheTags.stories);
  return accepted('linked');
}

export async function unlinkStories(
  work: Work,
  { storyId, otherIds }: { readonly storyId: Id<'story'>; readonly otherIds: readonly Id<'story'>[] },
): Promise<Result<'unlinked', StoryFault>> {
  const locked = await lockStandingStories(work, [storyId]);
  if (!locked.ok) return locked;
  await deleteLinks(work.database, storyId, otherIds);
  work.cacheTags.add(recordCacheTags.stories);
  return accepted('unlinked');
}
