import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockUnmergedStories } from './story-changes.ts';
import { deleteLinks, dropWeakestLinks, upsertLinks } from './story-link-store.ts';
import type { StoryFault, StoryLink } from './story.ts';

export type LinkFault = StoryFault | 'impossible_links';

export interface StoryLinks {
  readonly storyId: Id<'story'>;
  readonly links: readonly StoryLink[];
}

/** Inserts or updates links between stories; a story with too many links loses the weakest. */
export async function linkStories(
  context: DecisionContext,
  requests: readonly StoryLinks[],
): Promise<DecisionResult<'linked', LinkFault>> {
  if (!requests.every(arePossible)) return refused('impossible_links');
  const ids = requests.flatMap(({ storyId, links }) => [storyId, ...links.map((link) => link.storyId)]);
  const locked = await lockUnmergedStories(context, ids);
  if (!locked.ok) return locked;
  await upsertLinks(context.database, requests, context.now);
  await dropWeakestLinks(context.database, [...new Set(ids)], context.now);
  return decided('linked', stale(recordCacheTags.stories));
}

function arePossible({ storyId, links }: StoryLinks): boolean {
  const ids = new Set([storyId, ...links.map((link) => link.storyId)]);
  return ids.size > links.length && links.every(({ strength }) => strength >= 0 && strength <= 1);
}

export async function unlinkStories(
  context: DecisionContext,
  { storyId, otherIds }: { readonly storyId: Id<'story'>; readonly otherIds: readonly Id<'story'>[] },
): Promise<DecisionResult<'unlinked', StoryFault>> {
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  await deleteLinks(context.database, storyId, { otherIds, at: context.now });
  return decided('unlinked', stale(recordCacheTags.stories));
}
