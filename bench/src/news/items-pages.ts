import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { ItemsDeps } from '../../../apps/server/src/news/items/items-page.ts';
import { readItemsPage } from '../../../apps/server/src/news/items/items-page.ts';
import type { ItemPosition, ItemsQuery } from '../../../apps/server/src/news/items/items-query.ts';
import { readPosition, spanOf } from '../../../apps/server/src/news/items/items-query.ts';
import { SearchQueue } from '../../../apps/server/src/news/items/search-queue.ts';
import { clockFromLoading } from './news-moment.ts';

export function itemsDeps(database: Database): ItemsDeps {
  return {
    database,
    searchDatabase: database,
    searchQueue: new SearchQueue({ runningMax: 1, waitingMax: 1 }),
    clock: clockFromLoading(),
    baseUrl: 'http://localhost',
  };
}

/** Cursors of the pages after the first, as a client meets them. */
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

export const everything: ItemsQuery = { mode: 'all', category: null, window: '7d', by: 'timeline', q: null };
