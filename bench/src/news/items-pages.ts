import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import type { ItemPosition, ItemsQuery } from '../../../apps/server/src/news/items/items-query.ts';
import { readPosition, spanOf } from '../../../apps/server/src/news/items/items-query.ts';
import type { ItemsDeps } from '../../../apps/server/src/news/items/items-representation.ts';
import { readItemsPage } from '../../../apps/server/src/news/items/items-representation.ts';
import { createRecordReader } from '../../../apps/server/src/record/wiring.ts';
import { clockFromLoading } from './news-moment.ts';

export function itemsDeps({ database, pool }: Pick<DatabaseConnection, 'database' | 'pool'>): ItemsDeps {
  return {
    record: createRecordReader({ database, pool, searchDatabase: database }),
    storyLayer: true,
    clock: clockFromLoading(),
    baseUrl: 'http://localhost',
    language: 'en',
  };
}

/** Cursors of the pages after the first, as a client receives them. */
export async function walkCursors(
  deps: ItemsDeps,
  query: ItemsQuery,
  limit: number,
  count: number,
): Promise<readonly string[]> {
  const cursors: string[] = [];
  let position: ItemPosition | null = null;
  while (cursors.length < count) {
    const { nextCursor } = await readItemsPage(deps, query, position, limit);
    if (nextCursor === null) throw new Error(`only ${cursors.length + 1} of ${count} pages`);
    cursors.push(nextCursor);
    position = readPosition(nextCursor, query, spanOf(query.window, deps.clock.now()));
  }
  return cursors;
}

export const everything: ItemsQuery = {
  mode: 'all',
  category: null,
  source: null,
  language: null,
  window: '7d',
  by: 'timeline',
  q: null,
};
