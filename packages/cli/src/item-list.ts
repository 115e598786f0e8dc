import type { Answer, NewsClient } from '@daybook/client';
import type { SqliteMirrorStore } from '@daybook/client/mirror/sqlite';
import type { ArchiveResponse, Item, ItemsResponse, NewsOperations, NewsSource } from '@daybook/client/types';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';
import { ageOf, ago, instant } from './instants.ts';
import { nearest } from './nearest.ts';
import { withOwnMirror } from './own-mirror.ts';

/** A body of the API; a mirror has no body of its own, and its age is added. */
export interface ListedItems extends Pick<ItemsResponse, 'items' | 'page'> {
  readonly mirror?: { readonly confirmedAt: string | null; readonly ageSeconds: number | null };
}

/** Reads the mirror where one exists, also without a network, and prints its age beside the output. */
export async function listItems(
  line: CommandLine,
  host: CliHost,
  q: string | undefined,
): Promise<ListedItems> {
  // The cursor of a page is the server's.
  const from = line.cursor === null ? line : { ...line, online: true };
  return withOwnMirror(from, host, async (mirror) =>
    mirror === null ? fromServer(line, host, q) : fromMirror(mirror.store, line, host, q),
  );
}

const dayMs = 86_400_000;
/** The days of the archive are those of Asia/Shanghai. */
const shanghaiOffsetMs = 8 * 3_600_000;

async function fromServer(line: CommandLine, host: CliHost, q: string | undefined): Promise<ListedItems> {
  const client = clientOf(line, host);
  const query: NewsOperations['listItems']['params'] = {
    limit: line.limit,
    ...(q === undefined ? {} : { q }),
    ...(line.language === null ? {} : { language: line.language }),
    ...(line.category === null ? {} : { category: line.category }),
    ...(line.source === null ? {} : { source: await sourceId(client, line.source) }),
    ...(line.cursor === null ? {} : { cursor: line.cursor }),
  };
  // The archive has selected items only.
  const recent = q === undefined ? query : ({ ...query, mode: 'all' } as const);
  if (line.since === null) return required(await client.listItems(recent));
  const ageMs = host.nowMs() - line.since;
  if (ageMs > 7 * dayMs + 60_000) {
    const from = instant(line.since + shanghaiOffsetMs).slice(0, 10);
    return since(client.pages('listArchiveItems', { ...query, from }), line.since);
  }
  const window = ageMs > dayMs + 60_000 ? '7d' : '24h';
  return since(client.pages('listItems', { ...recent, window }), line.since);
}

/**
 * The API has two windows and days; items older than the given time are left out here. A page may be short: its
 * cursor leads to the next one.
 */
async function since(
  pages: AsyncIterable<Answer<ItemsResponse | ArchiveResponse>>,
  sinceMs: number,
): Promise<ListedItems> {
  const from = instant(sinceMs);
  for await (const answer of pages) {
    const body = required(answer);
    const items = body.items.filter(({ discoveredAt }) => discoveredAt >= from);
    if (items.length > 0 || !body.page.hasMore)
      return { ...body, items, page: { ...body.page, count: items.length } };
  }
  throw new CliError('failed', 'the server returned no page');
}

export async function sourceId(client: NewsClient, wanted: string): Promise<string> {
  const sources: NewsSource[] = [];
  for await (const answer of client.pages('listSources', { limit: 500 }))
    sources.push(...required(answer).sources);
  const name = wanted.toLowerCase();
  const found = sources.find((one) => one.id === wanted || one.name.toLowerCase() === name);
  if (found !== undefined) return found.id;
  const similar = nearest(
    wanted,
    sources.map((one) => one.name),
  );
  throw new CliError(
    'notFound',
    `no source is named ${wanted}${similar === null ? '' : `; did you mean ${similar}?`}`,
  );
}

async function fromMirror(
  store: SqliteMirrorStore,
  line: CommandLine,
  host: CliHost,
  q: string | undefined,
): Promise<ListedItems> {
  const exactAt = (await store.progress('current'))?.exactAt ?? null;
  host.say(
    exactAt === null
      ? 'From an incomplete mirror.'
      : `From your mirror, confirmed by the server ${ago(host.nowMs() - exactAt)} ago.`,
  );
  const items = [...read(store, line, q)];
  const confirmedAt = exactAt === null ? null : instant(exactAt);
  return {
    items,
    page: { count: items.length, hasMore: false, nextCursor: null },
    mirror: { confirmedAt, ...ageOf({ exactAt }, host).json },
  };
}

function read(store: SqliteMirrorStore, line: CommandLine, q: string | undefined): readonly Item[] {
  const filter = {
    ...(line.category === null ? {} : { category: line.category }),
    ...(line.source === null ? {} : { sourceName: line.source }),
    ...(line.language === null ? {} : { language: line.language }),
    ...(line.since === null ? {} : { since: instant(line.since) }),
  };
  return q === undefined ? store.latest(line.limit, filter) : store.search(q, line.limit, filter);
}
