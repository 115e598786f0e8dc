import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { Clock } from '../../foundation/clock.ts';
import { encodeCursor } from '../../foundation/cursor.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { items, recordCacheTags } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { ItemPosition, ItemsQuery } from './items-query.ts';
import { bindingOf, filterOf, readItemsQuery, readPosition, spanOf } from './items-query.ts';
import type { RawItemsQuery } from './items-schema.ts';

export interface ItemsDeps {
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

export interface ItemsPage {
  readonly query: ItemsQuery;
  readonly items: readonly recorded.ListedItem[];
  readonly nextCursor: string | null;
}

/** Items contain the id of their story. */
export const itemCacheTags = [recordCacheTags.items, recordCacheTags.stories];

/** Validates the whole request before any lookup. */
export function itemsResource(deps: ItemsDeps, raw: RawItemsQuery): Resource {
  const query = readItemsQuery(raw);
  const position =
    raw.cursor === undefined ? null : readPosition(raw.cursor, query, spanOf(query.window, deps.clock.now()));
  return {
    key: `items ${JSON.stringify([bindingOf(query), raw.limit, raw.cursor ?? null])}`,
    cacheTags: itemCacheTags,
    build: async () => jsonBody(presentItems(deps, await readItemsPage(deps, query, position, raw.limit))),
  };
}

/** Reads one row more than shown, to detect a next page. */
export async function readItemsPage(
  { record, clock }: Pick<ItemsDeps, 'record' | 'clock'>,
  query: ItemsQuery,
  position: ItemPosition | null,
  limit: number,
): Promise<ItemsPage> {
  const span = spanOf(query.window, clock.now());
  const request = { filter: filterOf(query), span, position, rowsMax: limit + 1 };
  const found = await (query.q === null ? record.items(request) : record.searchItems(request, query.q));
  const items = found.slice(0, limit);
  return { query, items, nextCursor: found.length > limit ? cursorAfter(items, query) : null };
}

function cursorAfter(items: readonly recorded.ListedItem[], query: ItemsQuery): string | null {
  const last = items.at(-1);
  return last === undefined ? null : encodeCursor({ key: last.key, id: last.id }, bindingOf(query));
}

/** Concatenates bodies composed when the items changed, without parsing or serializing. */
function presentItems(deps: ItemsDeps, { query, items, nextCursor }: ItemsPage): string {
  const { mode, category, source, language, window, by, q } = query;
  const worded = { ...deps, language: wordingOf(deps, query) };
  const echoed = JSON.stringify({ mode, category, source, language, window, by, q });
  const page = JSON.stringify({ count: items.length, hasMore: nextCursor !== null, nextCursor });
  return `{"schemaVersion":1,"query":${echoed},"items":[${items.map((item) => sentItem(worded, item)).join(',')}],"page":${page}}`;
}

/** A list of one language has its reasons in that language. */
export function wordingOf(
  { language }: Pick<ItemsDeps, 'language'>,
  { language: listed }: Pick<ItemsQuery, 'language'>,
): ReaderLanguage {
  return readerLanguages.find((one) => one === listed) ?? language;
}

export function sentItem(
  { baseUrl, storyLayer, language }: Pick<ItemsDeps, 'baseUrl' | 'storyLayer' | 'language'>,
  { body, storyId }: Pick<recorded.ListedItem, 'body' | 'storyId'>,
): string {
  return items.itemJson({ body, storyId: storyLayer ? storyId : null }, { baseUrl, language });
}
