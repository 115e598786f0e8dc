import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { Clock } from '../../foundation/clock.ts';
import { encodeCursor } from '../../foundation/cursor.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import { recordTopics, withBaseUrl } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { ItemPosition, ItemsQuery } from './items-query.ts';
import { bindingOf, readItemsQuery, readPosition, spanOf } from './items-query.ts';
import type { RawItemsQuery } from './items-schema.ts';
import { searchItems } from './items-search.ts';
import type { WindowRow } from './items-store.ts';
import { readItemRows } from './items-store.ts';
import type { SearchQueue } from './search-queue.ts';

export interface ItemsDeps {
  readonly database: Database;
  /** Its own few connections with a short statement time-out. */
  readonly searchDatabase: Database;
  readonly searchQueue: SearchQueue;
  readonly clock: Clock;
  readonly baseUrl: string;
}

export interface ItemsPage {
  readonly query: ItemsQuery;
  readonly rows: readonly WindowRow[];
  readonly nextCursor: string | null;
}

/** Everything that is wrong with the request is said here, before anything is looked up. */
export function itemsResource(deps: ItemsDeps, raw: RawItemsQuery): Resource {
  const query = readItemsQuery(raw);
  const position =
    raw.cursor === undefined ? null : readPosition(raw.cursor, query, spanOf(query.window, deps.clock.now()));
  return {
    key: `items ${JSON.stringify([bindingOf(query), raw.limit, raw.cursor ?? null])}`,
    topics: [recordTopics.items],
    build: async () =>
      jsonBody(presentItems(await readItemsPage(deps, query, position, raw.limit), deps.baseUrl)),
  };
}

export async function readItemsPage(
  deps: ItemsDeps,
  query: ItemsQuery,
  position: ItemPosition | null,
  limit: number,
): Promise<ItemsPage> {
  const rows = await readSkeleton(deps, query, position, limit);
  const shown = rows.slice(0, limit);
  return { query, rows: shown, nextCursor: rows.length > limit ? cursorAfter(shown, query) : null };
}

/** One row more than is shown tells whether there is more. Bodies come along: they lie in the same rows. */
async function readSkeleton(
  deps: ItemsDeps,
  query: ItemsQuery,
  position: ItemPosition | null,
  limit: number,
): Promise<readonly WindowRow[]> {
  const span = spanOf(query.window, deps.clock.now());
  const request = { query, span, position, rowsMax: limit + 1 };
  const { q } = query;
  if (q === null) return readItemRows(deps.database, request);
  return deps.searchQueue.run(() => searchItems(deps.searchDatabase, request, q));
}

function cursorAfter(rows: readonly WindowRow[], query: ItemsQuery): string | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  return encodeCursor({ key: fromTimestamptz(last.key), id: last.id as Id<'item'> }, bindingOf(query));
}

/** Put together from bodies that were composed when the items changed; nothing is parsed or written anew. */
function presentItems({ query, rows, nextCursor }: ItemsPage, baseUrl: string): string {
  const { mode, category, window, by, q } = query;
  const bodies = rows.map(({ body }) => body).join(',');
  const page = { count: rows.length, hasMore: nextCursor !== null, nextCursor };
  return `{"schemaVersion":1,"query":${JSON.stringify({ mode, category, window, by, q })},"items":[${withBaseUrl(bodies, baseUrl)}],"page":${JSON.stringify(page)}}`;
}
