import type { Answer } from './answer.ts';
import type { Timeouts } from './attempt-limit.ts';
import type { ClientWorld } from './client-world.ts';
import { systemWorld } from './client-world.ts';
import type { NewsOperations } from './generated/news-api.ts';
import { newsOperations } from './generated/news-api.ts';
import type { Patience, Wish } from './polite-fetch.ts';
import { PoliteFetcher } from './polite-fetch.ts';

export interface ClientOptions {
  /** Where the server is: `https://news.example.org`. */
  readonly baseUrl: string;
  /** The client's name for operators: your program and how to reach you. Browsers send their own. */
  readonly userAgent?: string;
  readonly patience?: Partial<Patience>;
  readonly timeouts?: Partial<Timeouts>;
  /** Replaces fetch, the clock, waiting or chance. */
  readonly world?: Partial<ClientWorld>;
}

export type CallOptions = Wish;

type Name = keyof NewsOperations;
type Params<K extends Name> = NewsOperations[K]['params'];
type Call<K extends Name> = (
  ...given: Record<string, never> extends Params<K>
    ? [params?: Params<K>, options?: CallOptions]
    : [params: Params<K>, options?: CallOptions]
) => Promise<Answer<NewsOperations[K]['data']>>;

/** Lists, and the parameter that leads from a page to the next. */
const nextOf = {
  listItems: ({ page }: NewsOperations['listItems']['data']) =>
    page.nextCursor === null ? null : { cursor: page.nextCursor },
  listArchiveItems: ({ page }: NewsOperations['listArchiveItems']['data']) =>
    page.nextCursor === null ? null : { cursor: page.nextCursor },
  listCorrections: ({ page }: NewsOperations['listCorrections']['data']) =>
    page.nextCursor === null ? null : { cursor: page.nextCursor },
  listSources: ({ page }: NewsOperations['listSources']['data']) =>
    page.nextCursor === null ? null : { cursor: page.nextCursor },
  getSelectedSnapshot: ({ nextPage }: NewsOperations['getSelectedSnapshot']['data']) =>
    nextPage === null ? null : { page: nextPage },
  listSelectedChanges: ({ hasMore, cursor }: NewsOperations['listSelectedChanges']['data']) =>
    hasMore ? { cursor, since: undefined } : null,
} as const;

export type PagedName = keyof typeof nextOf;

/** One function for each operation of the news API, and its lists page by page. */
export type NewsClient = { readonly [K in Name]: Call<K> } & {
  /** The address of the server, without a slash at the end. */
  readonly baseUrl: string;
  /** All pages of a list, requested on demand. Ends after the last page or with the first refused one. */
  readonly pages: <K extends PagedName>(
    name: K,
    ...given: Parameters<Call<K>>
  ) => AsyncGenerator<Answer<NewsOperations[K]['data']>, void>;
};

const patience: Patience = { retriesMax: 4, waitMsMax: 120_000 };
const timeouts: Timeouts = { connectMs: 10_000, responseMs: 30_000 };

export function createClient(options: ClientOptions): NewsClient {
  const world = { ...systemWorld, ...options.world };
  const headers = options.userAgent === undefined ? {} : { 'User-Agent': options.userAgent };
  const fetcher = new PoliteFetcher(
    world,
    { ...patience, ...options.patience },
    { ...timeouts, ...options.timeouts },
    headers,
  );
  const base = options.baseUrl.replace(/\/+$/, '');
  const call = async (
    name: Name,
    params: object = {},
    options: CallOptions = {},
  ): Promise<Answer<unknown>> => {
    const outcome = await fetcher.get(base + addressOf(newsOperations[name], params), options);
    if (!outcome.ok) return outcome;
    const { body, from, freshUntil, movedTo } = outcome;
    return { ok: true, data: body, from, freshUntil, movedTo };
  };
  const calls = Object.fromEntries(
    (Object.keys(newsOperations) as Name[]).map((name) => [
      name,
      (params?: object, given?: CallOptions) => call(name, params, given),
    ]),
  );
  return {
    ...calls,
    baseUrl: base,
    pages: (name: PagedName, ...given: unknown[]) => pagesOf(call, name, given),
  } as unknown as NewsClient;
}

async function* pagesOf(
  call: (name: Name, params: object, options: CallOptions) => Promise<Answer<unknown>>,
  name: PagedName,
  [params = {}, options = {}]: readonly unknown[],
): AsyncGenerator<Answer<unknown>, void> {
  for (let next: object | null = params as object; next !== null;) {
    const answer: Answer<unknown> = await call(name, next, options as CallOptions);
    yield answer;
    if (!answer.ok) return;
    const more = (nextOf[name] as (page: unknown) => object | null)(answer.data);
    next = more === null ? null : { ...(params as object), ...more };
  }
}

/** `/stories/{publicId}` filled in; all other parameters go into the query, in a fixed order. */
export function addressOf(template: string, params: object): string {
  const left = new Map(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)]));
  query.sort();
  return left.size === 0 ? path : `${path}?${query.toString()}`;
}
