import { writeItems } from '@daybook/mcp/markdown';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { recordCacheTags } from '../../record/index.ts';
import { latestSelected, readItemList } from '../items/item-list.ts';
import { readItemsQuery } from '../items/items-query.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import { markdownBody } from './markdown-body.ts';

/** Enough for an answer, and short enough for a model. */
const latestMax = 30;
const foundMax = 20;

export function latestItemsResource(deps: ItemsDeps): Resource {
  return {
    key: 'latest.md',
    cacheTags: [recordCacheTags.items],
    build: async () =>
      markdownBody(writeItems('Latest selected items', await readItemList(deps, latestSelected, latestMax))),
  };
}

export function searchItemsResource(deps: ItemsDeps, rawQ: string): Resource {
  const query = readItemsQuery({ mode: 'all', window: '7d', by: 'timeline', q: rawQ, limit: foundMax });
  return {
    key: `search.md ${query.q}`,
    cacheTags: [recordCacheTags.items],
    build: async () =>
      markdownBody(writeItems('Items found in the last 7 days', await readItemList(deps, query, foundMax))),
  };
}
