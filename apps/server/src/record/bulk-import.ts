import type pg from 'pg';

import type { CopyConnection } from '../foundation/database/copy-in.ts';
import { withCopyConnection } from '../foundation/database/copy-in.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import { copyItems, copyWindowItems, createSearchIndex, dropSearchIndex } from './bulk-import-store.ts';
import type { PublisherDeps } from './decision.ts';
import { decide } from './decision.ts';
import type { ItemToPublish, ItemWriter } from './item-decisions/publish-items.ts';
import { publishItems } from './item-decisions/publish-items.ts';

export interface ItemToImport extends ItemToPublish {
  readonly id: Id<'item'>;
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
 * For first imports: the same as publishing, with rows written by COPY. Every batch is a transaction of its own, so
 * the record is consistent at any moment; memory contains one batch.
 */
export async function importItems(
  deps: ImportDeps,
  items: AsyncIterable<ItemToImport> | Iterable<ItemToImport>,
): Promise<ImportCount> {
  let count: ImportCount = { items: 0, selected: 0 };
  await withCopyConnection(deps.pool, async (connection) => {
    const load = async (batch: readonly ItemToImport[]): Promise<void> => {
      const imported = await decide({ ...deps, database: connection.database }, (context) =>
        publishItems(context, { items: batch }, copiesInto(connection)),
      );
      if (!imported.ok) throw new Error(`a batch was refused: ${imported.reason}`);
      const selected = batch.filter(({ selection = null }) => selection !== null).length;
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

function copiesInto(connection: CopyConnection): ItemWriter {
  return {
    insertItems: (items) => copyItems(connection, items),
    insertWindowItems: (rows) => copyWindowItems(connection, rows),
  };
}

/**
 * For imports that fill the window: building the index at the end costs a fraction of updating it row by row.
 * Searches are slow meanwhile, so do not use it while the record serves readers.
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
