import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id, IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { ItemCache } from './item-cache.ts';
import type { ItemQueries } from './item-queries.ts';
import { queriesOf } from './item-queries.ts';
import type { AliasTable } from './matching/aliases.ts';
import { indexTerms } from './matching/entry-terms.ts';
import { readEntry } from './matching/read-entry.ts';
import type { ReadItem } from './matching/reading-groups.ts';
import type { StoredItem } from './matching/stored-item.ts';
import { termsVersion } from './matching/stored-item.ts';
import type { StoryModel } from './matching/story-model.ts';
import { syndicatesOf } from './matching/syndication.ts';
import type { FoundItems, Placement, ItemToPlace } from './placement-batch.ts';
import { PlacementBatch } from './placement-batch.ts';
import { wereSplit } from './story-decision-store.ts';
import type { CorpusCounts, IndexedItem } from './story-index-store.ts';
import {
  readCandidates,
  readContents,
  readCopies,
  readCorpusCounts,
  readMembers,
  readReadings,
} from './story-index-store.ts';
import { readRelatedOwners } from './syndication-store.ts';
import type { ComparableItem } from './working-stories.ts';
import { bestHits, WorkingStories } from './working-stories.ts';

const readingCandidatesMax = 20;
/** A copy shares most keys of its text: the best few are enough. */
const copyBounds = { postingsPerKeyMax: 20, itemsMax: 4 };
/** Measured on real titles: the story that an item joins never ranked below the 24th. */
const candidatesMax = 24;
const postingsPerTermMax = 40;
/** Of the items that share terms, this many are looked up: stories of worse ones are never among the best. */
const foundItemsMax = 60;

export interface StoryDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly aliases: AliasTable;
  readonly model: StoryModel;
  /** Of the process; without a cache every item is read from the index. */
  readonly cache?: ItemCache;
}

export interface ItemToRead {
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  /** Of its publisher; without it, copies of the item are not recognised. */
  readonly text?: string;
  /** Whether it is a list, an offer or a lesson, which reports no event. */
  readonly listing?: boolean;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
}

/** The comparison keys of an item. Pure, and computed before the placement lock is taken. */
export function readItem({ aliases }: Pick<StoryDeps, 'aliases'>, item: ItemToRead): ReadItem {
  const { title, originalTitle, summary, originalUrl, text, listing = false } = item;
  const at = instantToMs(reportedAt(item));
  return readEntry({ title, originalTitle, summary, url: originalUrl, at, listing }, aliases, text);
}

export function reportedAt(item: Pick<ItemToRead, 'publishedAt' | 'discoveredAt'>): EpochMicroseconds {
  return item.publishedAt ?? item.discoveredAt;
}

/**
 * Places items in the order given: each has the same result as if the previous ones had been published. The caller
 * holds the placement lock. Cost is bounded: limited terms, items per term, stories, and items per story; and every
 * statement serves the whole batch.
 */
export async function placeItems(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  items: readonly ItemToPlace[],
): Promise<readonly Placement[]> {
  if (items.length === 0) return [];
  const terms = new Set(items.flatMap(({ item }) => [...indexTerms(item.terms).keys()]));
  const corpus = await readCorpusCounts(transaction, [...terms]);
  const syndicates = syndicatesOf(await readRelatedOwners(transaction));
  const asked = items.map((item) => ({ item, queries: queriesFor(item, corpus) }));
  const { stories, found } = await readComparable(
    deps,
    transaction,
    asked.map(({ queries }) => queries),
  );
  const batch = new PlacementBatch({
    ...deps,
    corpus,
    stories: new WorkingStories(stories),
    candidatesMax,
    syndicates,
    wereSplit: (one, other) => wereSplit(transaction, one, other),
  });
  const placements: Placement[] = [];
  for (const [at, { item, queries }] of asked.entries())
    placements.push(await batch.place(item, queries, found[at] ?? { readings: [], copies: [], hits: [] }));
  return placements;
}

/** Rarity is counted as of the start of the batch: it only decides which terms are queried. */
function queriesFor({ item, at }: ItemToPlace, { items, itemsWith }: CorpusCounts): ItemQueries {
  return queriesOf(item, at, {
    items: items + 1,
    itemsWith: (term) => (itemsWith.get(term) ?? 0) + 1,
  });
}

/** All data of the index that the items of a batch are compared with. */
async function readComparable(
  { cache = new ItemCache() }: StoryDeps,
  transaction: Transaction<DB>,
  queries: readonly ItemQueries[],
): Promise<{
  readonly found: readonly FoundItems[];
  readonly stories: ReadonlyMap<Id<'story'>, readonly ComparableItem[]>;
}> {
  const readings = await readReadings(
    transaction,
    queries.map(({ reading }) => reading),
    readingCandidatesMax,
  );
  const copies = await readCopies(
    transaction,
    queries.map((query) => query.copies),
    copyBounds,
  );
  const all = await readCandidates(
    transaction,
    queries.map(({ candidates }) => candidates),
    { postingsPerTermMax, itemsMax: foundItemsMax },
  );
  const hits = queries.map(({ candidates }, at) => bestHits(candidates, all[at] ?? [], candidatesMax));
  const storyIds = new Set(hits.flat().map(({ storyId }) => storyId));
  const members = await readMembers(transaction, [...storyIds]);
  const itemIds = new Set(
    [...readings.flat(), ...copies.flat(), ...[...members.values()].flat()].map(({ itemId }) => itemId),
  );
  const contents = await readCached(cache, transaction, itemIds);
  const comparable = <Item extends IndexedItem>(item: Item) => {
    const stored = contents.get(item.itemId);
    return stored === undefined ? [] : [{ ...item, stored }];
  };
  return {
    found: queries.map((_, at) => ({
      readings: (readings[at] ?? []).flatMap(comparable),
      copies: (copies[at] ?? []).flatMap(comparable),
      hits: hits[at] ?? [],
    })),
    stories: new Map(Array.from(members, ([id, items]) => [id, items.flatMap(comparable)])),
  };
}

async function readCached(
  cache: ItemCache,
  transaction: Transaction<DB>,
  itemIds: ReadonlySet<Id<'item'>>,
): Promise<ReadonlyMap<Id<'item'>, StoredItem>> {
  const contents = new Map<Id<'item'>, StoredItem>();
  const missing: Id<'item'>[] = [];
  for (const itemId of itemIds) {
    const stored = cache.get(itemId);
    // An item with older terms is read again sooner or later.
    if (stored?.version !== termsVersion) missing.push(itemId);
    else contents.set(itemId, stored);
  }
  for (const [itemId, stored] of await readContents(transaction, missing)) {
    contents.set(itemId, stored);
    cache.add(itemId, stored);
  }
  return contents;
}
