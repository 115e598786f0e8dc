import type { items } from '../../record/index.ts';
import type { ItemsQuery } from './items-query.ts';
import type { ItemsDeps } from './items-representation.ts';
import { readItemsPage, sentItem, wordingOf } from './items-representation.ts';

/** For documents in other formats: the first page of a query, parsed into objects. */
export async function readItemList(
  deps: ItemsDeps,
  query: ItemsQuery,
  limit: number,
): Promise<items.ItemBody[]> {
  const { items } = await readItemsPage(deps, query, null, limit);
  const worded = { ...deps, language: wordingOf(deps, query) };
  return items.map((item) => JSON.parse(sentItem(worded, item)) as items.ItemBody);
}

export const latestSelected: ItemsQuery = {
  mode: 'selected',
  category: null,
  source: null,
  language: null,
  window: '7d',
  by: 'timeline',
  q: null,
};
