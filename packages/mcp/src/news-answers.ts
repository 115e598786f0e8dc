import type { Item, NewsSource } from '@daybook/client/types';

import { writeChanges, writeHotTopics, writeItems, writeStory } from './markdown/index.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused, required } from './news.ts';

export interface ItemsQuery {
  readonly q?: string;
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
  const { q, category, source, cursor, limit = limitDefault } = query;
  const { mirror } = news;
  if (mirror !== null && category === undefined && source === undefined && cursor === undefined)
    return answerFromMirror(mirror, q, limit);
  const { data, freshForMs } = required(
    news,
    await news.client.listItems({
      limit,
      ...(q === undefined ? {} : { q, mode: 'all', window: '7d' }),
      ...(category === undefined ? {} : { category }),
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
  return { data: { items, ...rest }, markdown: writeItems(title, items, notes), freshForMs };
}

export async function answerWithHotTopics(news: McpNews, wording: Wording = {}): Promise<NewsAnswer> {
  const { data, freshForMs } = required(news, await news.client.listHotTopics(wording));
  const { rankedAt, items } = data;
  return { data: { rankedAt, items }, markdown: writeHotTopics(data), freshForMs };
}

/** One event; the id of a story that was merged resolves to the remaining one. */
export async function answerWithStory(news: McpNews, id: string, wording: Wording = {}): Promise<NewsAnswer> {
  const publicId = id.slice(id.lastIndexOf('/') + 1);
  if (!/^[\w-]{1,64}$/.test(publicId)) throw new NewsRefused('invalid_request', 'This is not a story id.');
  const { data, freshForMs } = required(news, await news.client.getStory({ publicId, ...wording }));
  return { data: { story: data.story }, markdown: writeStory(data.story), freshForMs };
}

const changesMax = 50;

/** What changed in the selected set after a cursor; without one, the cursor to begin with. */
export async function answerWithChanges(news: McpNews, cursor: string | undefined): Promise<NewsAnswer> {
  if (cursor === undefined) {
    const { data, freshForMs } = required(news, await news.client.getSelectedSnapshot({ limit: 1 }));
    const page = { cursor: data.cursor, hasMore: false, changes: [] };
    return { data: page, markdown: writeChanges(page), freshForMs };
  }
  const { data, freshForMs } = required(
    news,
    await news.client.listSelectedChanges({ cursor, limit: changesMax }),
  );
  const { hasMore, changes } = data;
  const page = { cursor: data.cursor, hasMore, changes };
  return { data: page, markdown: writeChanges(page), freshForMs };
}
