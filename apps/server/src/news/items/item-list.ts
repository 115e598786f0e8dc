import type { Static } from 'typebox';

import { withBaseUrl } from '../../record/index.ts';
import type { ItemSchema } from './item-schema.ts';
import type { ItemsDeps } from './items-page.ts';
import { readItemsPage } from './items-page.ts';
import type { ItemsQuery } from './items-query.ts';

/** For documents that write items in another form: the first page of a query, read back into objects. */
export async function readItemList(
  deps: ItemsDeps,
  query: ItemsQuery,
  limit: number,
): Promise<Static<typeof ItemSchema>[]> {
  const { rows } = await readItemsPage(deps, query, null, limit);
  return rows.map(({ body }) => JSON.parse(withBaseUrl(body, deps.baseUrl)) as Static<typeof ItemSchema>);
}

export const latestSelected: ItemsQuery = {
  mode: 'selected',
  category: null,
  window: '7d',
  by: 'timeline',
  q: null,
};
