import type pg from 'pg';

import type { CopyConnection } from '../foundation/database/copy-in.ts';
import { withCopyConnection } from '../foundation/database/copy-in.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { accepted } from '../foundation/result.ts';
import {
  copyItems,
  copyWindowItems,
  createSearchIndex,
  dropSearchIndex,
  insertGroups,
  recomputeGroups,
} from './bulk-import-store.ts';
import type { NewGroup } from './bulk-import-store.ts';
import { recordCacheTags } from './cache-tags.ts';
import type { PublisherDeps, DecisionContext } from './decision.ts';
import { decide } from './decision.ts';
import type { Item, Source } from './items/item.ts';
import { composeItem, timelineKeyOf, windowStart } from './items/item.ts';
import type { ItemToPublish } from './items/publish-item.ts';
import { newItem, timesArePossible } from './items/publish-item.ts';
import { upsertSource } from './items/source-store.ts';
import type { WindowRow } from './items/window-store.ts';
import { createPartitionAndRetry } from './items/window-store.ts';
import { lockReadingGroups } from './locking.ts';
import { lockUnmergedStories, recountStories } from './stories/story-changes.ts';

export interface ItemToImport extends ItemToPublish {
  readonly id: Id<'item'>;
  /** At most one item of a reading group is selected. */
  readonly selection?: { readonly reason: string };
}

export interface ImportDeps extends Omit<PublisherDeps, 'database'> {
  readonly pool: pg.Pool;
}

export interface ImportCount {
  readonly items: number;
  readonly selected: number;
}

const batchSize = 5_000;

/**
 * For first loads: as if each item had been published and, where it says so, selected, in this order. Every batch is
 * a transaction of its own, so the record is right at any moment; memory holds one batch.
 */
export async function importItems(
  deps: ImportDeps,
  items: AsyncIterable<ItemToImport> | Iterable<ItemToImport>,
): Promise<ImportCount> {
  let count: ImportCount = { items: 0, selected: 0 };
  await withCopyConnection(deps.pool, async (connection) => {
    const sources = new Map<Id<'source'>, Source>();
    const load = async (batch: readonly ItemToImport[]): Promise<void> => {
      const selected = batch.filter(({ selection }) => selection !== undefined).length;
      const decided = await decide({ ...deps, database: connection.database }, (context) =>
        importBatch(context, connection, sources, batch),
      );
      if (!decided.ok) throw new Error(`a batch was refused: ${decided.reason}`);
      // Only now are they sure to be stored.
      for (const source of decided.value) sources.set(source.id, source);
      count = { items: count.items + batch.length, selected: count.selected + selected };
    };
    let batch: ItemToImport[] = [];
    for await (const item of items) {
      batch.push(item);
      if (batch.length < batchSize) continue;
      await load(batch);
      batch = [];
    }
    if (batch.length > 0) await load(batch);
  });
  return count;
}

/**
 * For loads that fill the window: an index built at the end costs a fraction of one kept up row by row. Searches are
 * slow meanwhile, so not for a record that is being read.
 */
export async function rebuildingSearchIndex<Value>(
  owner: Database,
  load: () => Promise<Value>,
): Promise<Value> {
  const definition = await dropSearchIndex(owner);
  try {
    return await load();
  } finally {
    await createSearchIndex(owner, definition);
  }
}

async function importBatch(
  context: DecisionContext,
  connection: CopyConnection,
  sources: ReadonlyMap<Id<'source'>, Source>,
  batch: readonly ItemToImport[],
) {
  const items: Item[] = [];
  const knownSources = new Map(sources);
  for (const request of batch) {
    if (!timesArePossible(request, context.now))
      throw new RangeError(`impossible times of item ${request.id}`);
    const source =
      knownSources.get(request.source.id) ?? (await upsertSource(context.database, request.source));
    knownSources.set(source.id, source);
    items.push(selectedOrNot(newItem(context, request, source), request));
  }
  const groups = groupsOf(items);
  const made = await insertGroups(context.database, [...groups.values()]);
  await lockReadingGroups(context, [...groups.keys()]);
  const storyIds = [...new Set(items.map(({ storyId }) => storyId).filter((id) => id !== null))];
  const stories = await lockUnmergedStories(context, storyIds);
  if (!stories.ok) return stories;
  await copyBatch(context, connection, items, groups);
  await recomputeGroups(
    context.database,
    [...groups.keys()].filter((id) => !made.has(id)),
  );
  if (storyIds.length > 0) await recountStories(context, storyIds);
  context.cacheTags.add(recordCacheTags.items);
  return accepted([...knownSources.values()]);
}

async function copyBatch(
  context: DecisionContext,
  connection: CopyConnection,
  items: readonly Item[],
  groups: ReadonlyMap<string, NewGroup>,
): Promise<void> {
  const from = windowStart(context.now);
  const shown: WindowRow[] = [];
  const composed = items.map((item) => {
    const parts = composeItem(item);
    const firstAppearedAt = groups.get(item.groupId)?.firstAppearedAt ?? item.timelineAt;
    if (item.discoveredAt > from) {
      shown.push({ item, body: parts.body, timelineKey: timelineKeyOf(item, firstAppearedAt) });
    }
    if (parts.digest !== null) context.ledger.push({ itemId: item.id, before: null, after: parts.digest });
    return { item, ...parts };
  });
  await copyItems(connection, composed);
  await createPartitionAndRetry(context.now, copyWindowItems(connection, shown));
}

function selectedOrNot(item: Item, { selection }: ItemToImport): Item {
  return selection === undefined ? item : { ...item, selected: true, reason: selection.reason };
}

/** As this batch alone knows them; those that were there before are recomputed from the archive afterwards. */
function groupsOf(items: readonly Item[]): ReadonlyMap<Id<'reading-group'>, NewGroup> {
  const groups = new Map<Id<'reading-group'>, NewGroup>();
  for (const { id, groupId, timelineAt, selected } of items) {
    const known = groups.get(groupId);
    groups.set(groupId, {
      id: groupId,
      firstAppearedAt: earlier(known?.firstAppearedAt ?? timelineAt, timelineAt),
      representativeId: selected ? id : (known?.representativeId ?? null),
    });
  }
  return groups;
}

function earlier(one: EpochMicroseconds, other: EpochMicroseconds): EpochMicroseconds {
  return one < other ? one : other;
}
