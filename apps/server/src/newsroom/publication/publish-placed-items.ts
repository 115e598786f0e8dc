import type { Transaction } from 'kysely';

import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Decisions, decisions } from '../../record/index.ts';
import type { ReadItem } from '../stories/matching/reading-groups.ts';
import type { StoryDeps } from '../stories/place-items.ts';
import { placeItems, reportedAt } from '../stories/place-items.ts';
import type { Placement } from '../stories/placement-batch.ts';
import { insertStoryDecisions } from '../stories/story-decision-store.ts';
import { insertStoryItems } from '../stories/story-index-store.ts';
import { countComparisons } from '../stories/syndication-store.ts';

export interface ItemToPlaceAndPublish extends Omit<
  decisions.ItemToPublish,
  'groupId' | 'storyId' | 'voice' | 'score' | 'selection'
> {
  readonly id: Id<'item'>;
  readonly read: ReadItem;
  /** Of its source, as configured. */
  readonly syndicate?: string | null;
}

/** Values of an item that depend on its placement. */
export type SettledItem = Required<Pick<decisions.ItemToPublish, 'score' | 'selection'>> & {
  /** What the selection was decided by, for the journal. */
  readonly features?: Readonly<Record<string, number>>;
};

export type PublishItemsFault = 'already_published' | 'impossible_times';

/**
 * The only way to publish placed items: places them in their order, determines score and selection, and writes
 * items, stories, index and reasons in the caller's transaction, all or none. The caller holds the placement lock.
 */
export async function publishPlacedItems(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  items: readonly ItemToPlaceAndPublish[],
  settle: (placements: readonly Placement[]) => Promise<readonly SettledItem[]>,
): Promise<Result<readonly Placement[], PublishItemsFault>> {
  const placements = await placeItems(
    deps,
    transaction,
    items.map(({ id, read, syndicate = null, source: { owner }, ...item }) => ({
      itemId: id,
      item: read,
      at: reportedAt(item),
      owner,
      syndicate,
    })),
  );
  const settled = await settle(placements);
  const published = await decisions.publishItems({
    items: items.map((item, at) => {
      const { groupId, storyId, voice } = placements[at] as Placement;
      const { score, selection } = settled[at] as SettledItem;
      return { ...item, score, selection, groupId, storyId, voice };
    }),
    stories: placements.flatMap(({ kind, storyId }, at) =>
      kind === 'open' && storyId !== null ? [{ id: storyId, title: items[at]?.title ?? '' }] : [],
    ),
  });
  if (!published.ok) {
    const { reason } = published;
    if (reason === 'already_published' || reason === 'impossible_times') return refused(reason);
    throw new ConcurrentChange(`an editor changed the story of an item: ${reason}`);
  }
  await insertStoryItems(
    transaction,
    placements.map(({ indexed }) => indexed),
  );
  await insertStoryDecisions(
    transaction,
    placements.flatMap((placement) => placement.decisions),
  );
  await countComparisons(
    transaction,
    placements.flatMap(({ comparisons }) => comparisons),
    deps.clock.now(),
  );
  await mergeAndLink(decisions, placements);
  return accepted(placements);
}

/** Runs after all inserts: a link to a story that a later item merged redirects to its survivor. */
async function mergeAndLink(decisions: Decisions, placements: readonly Placement[]): Promise<void> {
  const survivors = new Map<Id<'story'>, Id<'story'>>();
  for (const merge of placements.flatMap(({ merges }) => merges)) {
    const merged = await decisions.mergeStories(merge);
    if (!merged.ok) throw new ConcurrentChange(`two stories could not be merged: ${merged.reason}`);
    survivors.set(merge.absorbedId, merge.survivorId);
  }
  const survivorOf = (id: Id<'story'>): Id<'story'> => {
    const survivor = survivors.get(id);
    return survivor === undefined ? id : survivorOf(survivor);
  };
  const requests = placements.flatMap(({ finalStoryId, links }) => {
    if (finalStoryId === null) return [];
    const storyId = survivorOf(finalStoryId);
    const others = new Map(links.map((link) => [survivorOf(link.storyId), link]));
    others.delete(storyId);
    const own = Array.from(others, ([id, link]) => ({ ...link, storyId: id }));
    return own.length === 0 ? [] : [{ storyId, links: own }];
  });
  if (requests.length === 0) return;
  const linked = await decisions.linkStories(requests);
  if (!linked.ok) throw new ConcurrentChange(`stories could not be linked: ${linked.reason}`);
}
