import type { Item, NewsSource, Remove, Upsert } from '@daybook/client/types';

import { compactEntry, compactItem, withoutEmpty } from './compact-data.ts';
import { writeChanges, writeHotTopics, writeItems, writeStory } from './markdown/index.ts';
import { outlineChanges, outlineHotTopics, outlineItem, outlineItems } from './markdown/outline.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused, required } from './news.ts';

export interface ItemsQuery {
  readonly q?: string;
  /** Only items in this language. */
  readonly language?: string;
  readonly category?: Category;
  /** A source's id or name. */
  readonly source?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const categories = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;
export type Category = (typeof categories)[number];

export const languages = ['en', 'zh'] as const;

/** The language of titles and digests; by default the server's. */
export interface Wording {
  readonly language?: (typeof languages)[number];
}

const limitDefault = 20;

/** The newest selected items; all of the last week in which every word of q occurs, or that one source has. */
export async function answerWithItems(news: McpNews, query: ItemsQuery): Promise<NewsAnswer> {
  const { q, category, language, source, cursor, limit = limitDefault } = query;
  const { mirror } = news;
  if (mirror !== null && [category, language, source, cursor].every((one) => one === undefined))
    return answerFromMirror(mirror, q, limit);
  const { data, freshForMs } = required(
    news,
    await news.client.listItems({
      limit,
      ...(q === undefined ? {} : { q, mode: 'all', window: '7d' }),
      ...(category === undefined ? {} : { category }),
      ...(language === undefined ? {} : { language }),
      ...(source === undefined ? {} : { source: await sourceId(news, source), mode: 'all' }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const { nextCursor } = data.page;
  return itemsAnswer(titleOf(query), data.items, { nextCursor, mirroredAt: null }, freshForMs);
}

function titleOf({ q, source, category }: ItemsQuery): string {
  if (q !== undefined) return 'Items found in the last 7 days';
  if (source !== undefined) return 'Latest items of one source';
  return category === undefined ? 'Latest selected items' : `Latest selected items, category ${category}`;
}

/** All sources, by name. */
export async function listSources(news: McpNews): Promise<readonly NewsSource[]> {
  const sources: NewsSource[] = [];
  for await (const answer of news.client.pages('listSources', { limit: 500 }))
    sources.push(...required(news, answer).data.sources);
  return sources;
}

async function sourceId(news: McpNews, wanted: string): Promise<string> {
  const sources = await listSources(news);
  const isWanted = ({ id, name }: NewsSource): boolean =>
    id === wanted || name.toLowerCase() === wanted.toLowerCase();
  const found = sources.find(isWanted);
  if (found === undefined)
    throw new NewsRefused('not_found', 'No source with this name. Use completion to list sources.');
  return found.id;
}

async function answerFromMirror(
  mirror: NonNullable<McpNews['mirror']>,
  q: string | undefined,
  limit: number,
): Promise<NewsAnswer> {
  const exactAt = (await mirror.progress('current'))?.exactAt ?? null;
  if (exactAt === null)
    throw new NewsRefused('incomplete_mirror', 'The mirror is incomplete. Continue with `daybook mirror`.');
  const items = q === undefined ? mirror.latest(limit) : mirror.search(q, limit);
  // oxlint-disable-next-line no-restricted-globals -- writes an instant that was given; no clock is read
  const mirroredAt = new Date(exactAt).toISOString();
  const title = q === undefined ? 'Latest selected items' : 'Selected items found in the mirror';
  return itemsAnswer(title, items, { nextCursor: null, mirroredAt }, 0);
}

function itemsAnswer(
  title: string,
  items: readonly Item[],
  rest: { readonly nextCursor: string | null; readonly mirroredAt: string | null },
  freshForMs: number,
): NewsAnswer {
  const { nextCursor, mirroredAt } = rest;
  const notes = [
    ...(mirroredAt === null ? [] : [`From a mirror last verified at ${mirroredAt}.`]),
    ...(nextCursor === null ? [] : [`Next page: cursor \`${nextCursor}\`.`]),
  ];
  return {
    data: { items: items.map(compactItem), ...rest },
    outline: outlineItems(title, items, notes),
    markdown: writeItems(title, items, notes),
    freshForMs,
  };
}

export async function answerWithHotTopics(news: McpNews, wording: Wording = {}): Promise<NewsAnswer> {
  const { data, freshForMs } = required(news, await news.client.listHotTopics(wording));
  const { rankedAt, items } = data;
  const topics = items.map((topic) => {
    const { rank, sourceCount, sourceNames } = topic;
    return { rank, ...compactEntry(topic), sourceCount, sourceNames };
  });
  return {
    data: { rankedAt, items: topics },
    outline: outlineHotTopics(data),
    markdown: writeHotTopics(data),
    freshForMs,
  };
}

/** One event; the id of a story that was merged resolves to the remaining one. */
export async function answerWithStory(news: McpNews, id: string, wording: Wording = {}): Promise<NewsAnswer> {
  const publicId = id.slice(id.lastIndexOf('/') + 1);
  if (!/^[\w-]{1,64}$/.test(publicId)) throw new NewsRefused('invalid_request', 'This is not a story id.');
  const { data, freshForMs } = required(news, await news.client.getStory({ publicId, ...wording }));
  const markdown = writeStory(data.story);
  return { data: { story: data.story }, outline: markdown, markdown, freshForMs };
}

/** One item of any age with all its fields, by its id or the address of its page. */
export async function answerWithItem(
  news: McpNews,
  given: string,
  wording: Wording = {},
): Promise<NewsAnswer> {
  const id = given.slice(given.lastIndexOf('/') + 1);
  if (!/^[\w-]{1,64}$/.test(id)) throw new NewsRefused('invalid_request', 'This is not an item id.');
  const { data, freshForMs } = required(news, await news.client.getItem({ id, ...wording }));
  const outline = outlineItem(data.item);
  return { data: { item: withoutEmpty({ ...data.item }) }, outline, markdown: outline, freshForMs };
}

export interface ArchiveQuery extends ItemsQuery {
  readonly from?: string;
  readonly to?: string;
}

/** A page of the archive may be empty although more follow. */
const archiveRequestsMax = 6;

/** Selected items of all time. */
export async function answerWithArchive(news: McpNews, query: ArchiveQuery): Promise<NewsAnswer> {
  const { source, limit = limitDefault, ...filters } = query;
  const wanted = {
    ...filters,
    limit,
    ...(source === undefined ? {} : { source: await sourceId(news, source) }),
  };
  let requests = 0;
  for await (const answer of news.client.pages('listArchiveItems', wanted)) {
    const { data, freshForMs } = required(news, answer);
    const { nextCursor } = data.page;
    requests += 1;
    if (data.items.length === 0 && nextCursor !== null && requests < archiveRequestsMax) continue;
    return itemsAnswer('Items of the archive', data.items, { nextCursor, mirroredAt: null }, freshForMs);
  }
  throw new NewsRefused('unreadable_answer', 'The server returned no page.');
}

const changesMax = 50;

/** What changed in the selected set after a cursor; without one, the cursor to begin with. */
export async function answerWithChanges(
  news: McpNews,
  cursor: string | undefined,
  { language }: Wording = {},
): Promise<NewsAnswer> {
  if (cursor === undefined) {
    const { data, freshForMs } = required(news, await news.client.getSelectedSnapshot({ limit: 1 }));
    return changesAnswer({ cursor: data.cursor, hasMore: false, changes: [] }, freshForMs);
  }
  return changesPage(news, { cursor }, language);
}

/** The same, beginning with the changes at a time. */
export async function answerWithChangesSince(
  news: McpNews,
  time: string,
  { language }: Wording = {},
): Promise<NewsAnswer> {
  // oxlint-disable-next-line no-restricted-globals -- reads an instant that was given; no clock is read
  const sinceMs = Date.parse(time);
  if (Number.isNaN(sinceMs))
    throw new NewsRefused('invalid_request', 'since must be a time, such as 2026-11-15T08:00Z.');
  // oxlint-disable-next-line no-restricted-globals -- writes an instant that was given; no clock is read
  const since = new Date(sinceMs).toISOString();
  return changesPage(news, { since }, language);
}

async function changesPage(
  news: McpNews,
  from: { readonly cursor: string } | { readonly since: string },
  language: string | undefined,
): Promise<NewsAnswer> {
  const { data, freshForMs } = required(
    news,
    await news.client.listSelectedChanges({ ...from, limit: changesMax }),
  );
  const { cursor, hasMore } = data;
  const changes = data.changes.filter((one) => one.op === 'remove' || isIn(one.item, language));
  return changesAnswer({ cursor, hasMore, changes }, freshForMs);
}

/** By the primary subtag, as the filter of the server. */
function isIn(item: Item, language: string | undefined): boolean {
  return language === undefined || item.language?.split('-', 1)[0] === language;
}

interface Changes {
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly changes: readonly (Upsert | Remove)[];
}

function changesAnswer(page: Changes, freshForMs: number): NewsAnswer {
  const changes = page.changes.map((change) =>
    change.op === 'upsert' ? { ...change, item: compactItem(change.item) } : change,
  );
  return {
    data: { ...page, changes },
    outline: outlineChanges(page),
    markdown: writeChanges(page),
    freshForMs,
  };
}
