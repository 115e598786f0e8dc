import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { DB } from '../src/foundation/database/generated/database-types.ts';
import type { Id } from '../src/foundation/ids.ts';
import type { Result } from '../src/foundation/result.ts';
import { accepted } from '../src/foundation/result.ts';
import type { PublishItemsFault } from '../src/newsroom/publication/publish-placed-items.ts';
import { publishPlacedItems } from '../src/newsroom/publication/publish-placed-items.ts';
import type { StoryDeps } from '../src/newsroom/stories/place-items.ts';
import { readItem } from '../src/newsroom/stories/place-items.ts';
import type { Placement } from '../src/newsroom/stories/placement-batch.ts';
import { tryPlacementTurn } from '../src/newsroom/stories/story-index-store.ts';
import type { Decisions, decisions } from '../src/record/index.ts';

export type ScoredItem = Omit<decisions.ItemToPublish, 'groupId' | 'storyId' | 'selection'> & {
  readonly id: Id<'item'>;
};

/** Places and writes items like publication, with the given score. */
export async function publishAsItems(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  items: readonly ScoredItem[],
): Promise<Result<readonly Placement[], PublishItemsFault>> {
  while (!(await tryPlacementTurn(transaction))) await delay(5);
  const read = items.map((item) => ({ ...item, read: readItem(deps, item) }));
  return publishPlacedItems(deps, transaction, decisions, read, async () =>
    items.map(({ score }) => ({ score, selection: null })),
  );
}

export async function publishAsItem(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  item: ScoredItem,
): Promise<Result<Placement, PublishItemsFault>> {
  const published = await publishAsItems(deps, transaction, decisions, [item]);
  return published.ok ? accepted(published.value[0] as Placement) : published;
}
