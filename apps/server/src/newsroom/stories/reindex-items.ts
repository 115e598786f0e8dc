import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import type { AliasTable } from './matching/aliases.ts';
import { indexTerms } from './matching/entry-terms.ts';
import { allPostedTerms, storeItem, termsVersion } from './matching/stored-item.ts';
import { readItem } from './place-items.ts';
import type { ItemToReindex, ReindexedItem } from './reindex-store.ts';
import { isIndexOutdated, noteReindexed, readItemsToReindex, replaceIndexedItems } from './reindex-store.ts';
import { readCorpusCounts, tryPlacementTurn } from './story-index-store.ts';

/** Small, because no items can be placed meanwhile. */
const bounds = { countMax: 50, textCharsMax: 20_000 };
const batchesPerRun = 20;

interface ReindexDeps {
  readonly database: Database;
  readonly aliases: AliasTable;
  /** The terms of an item could not be read: it keeps its old ones. */
  readonly onFailed?: (item: ItemToReindex, error: unknown) => void;
}

/**
 * Reads the items of the index again whose terms were made by older rules. Each batch is a transaction that stores
 * how far it came: a process that dies, or an error of the database, repeats one batch at most, in the next run.
 */
export function createReindexing(deps: ReindexDeps): Sweep {
  return {
    name: 'reindex-stories',
    everySeconds: 5,
    run: async ({ transaction, signal }) => {
      if (!(await isIndexOutdated(deps.database, termsVersion))) return;
      for (let batch = 0; batch < batchesPerRun && !signal.aborted; batch += 1) {
        const continues = await transaction((inside) => reindexBatch(deps, inside));
        if (!continues) return;
      }
    },
  };
}

/** False if all items have been read, or another process is placing items. */
async function reindexBatch(deps: ReindexDeps, transaction: Transaction<DB>): Promise<boolean> {
  if (!(await tryPlacementTurn(transaction))) return false;
  const items = await readItemsToReindex(transaction, bounds);
  const outdated = items.filter(({ stored }) => (stored.version ?? 1) < termsVersion);
  const read = outdated.flatMap((item) => readAgain(deps, item));
  const terms = new Set(read.flatMap(({ fresh }) => [...indexTerms(fresh.terms).keys()]));
  const { itemsWith } = await readCorpusCounts(transaction, [...terms]);
  const reindexed = read.map(({ before, fresh }): ReindexedItem => ({
    before,
    postedTerms: allPostedTerms(fresh),
    stored: storeItem(fresh, (term) => Math.max(1, itemsWith.get(term) ?? 0)),
  }));
  await replaceIndexedItems(transaction, reindexed);
  await noteReindexed(transaction, items.at(-1) ?? null, termsVersion);
  return items.length > 0;
}

/** Nothing for a withdrawn item, which is compared with no other. */
function readAgain({ aliases, onFailed }: ReindexDeps, before: ItemToReindex) {
  if (before.texts === null) return [];
  try {
    return [{ before, fresh: readItem({ aliases }, { ...before.texts, listing: before.stored.roundup }) }];
  } catch (error) {
    onFailed?.(before, error);
    return [];
  }
}
