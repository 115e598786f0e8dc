import { readFileSync } from 'node:fs';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { instantFromMs, instantToMs, isoMilliseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { ParsedFeed } from '../../../apps/server/src/ingest/parse/feed.ts';
import { parseFeed } from '../../../apps/server/src/ingest/parse/parse-feed.ts';
import { simulatedId } from '../../../apps/simulation/src/simulated-id.ts';

/** One item of the replay, as the feed parser read it. */
export interface ReplayedItem {
  /** Of the row it was made from. */
  readonly key: string;
  readonly id: Id<'item'>;
  readonly source: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
}

interface Row {
  readonly id: string;
  readonly source: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
}

/** What one source listed at one time. */
export interface ReplayedList {
  readonly source: string;
  readonly discoveredAt: EpochMicroseconds;
  readonly feed: ParsedFeed;
}

/** Weeks of real news in order of discovery. */
export function readReplay(path: string): {
  readonly rows: number;
  readonly items: readonly ReplayedItem[];
} {
  const rows = readRows(path);
  const items = listsOf(rows, 0).flatMap(itemsOf);
  items.sort((one, other) => Number(one.discoveredAt - other.discoveredAt) || (one.key < other.key ? -1 : 1));
  return { rows: rows.length, items };
}

/** The first rows as lists in order of discovery, moved so that the last of them was discovered at this time. */
export function readReplayedLists(path: string, rowsMax: number, endsAtMs: number): readonly ReplayedList[] {
  const rows = readRows(path)
    .toSorted((one, other) => Date.parse(one.discoveredAt) - Date.parse(other.discoveredAt))
    .slice(0, rowsMax);
  const last = rows.at(-1);
  const shiftMs = last === undefined ? 0 : endsAtMs - Date.parse(last.discoveredAt);
  return listsOf(rows, shiftMs).toSorted((one, other) => Number(one.discoveredAt - other.discoveredAt));
}

function readRows(path: string): readonly Row[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

function listsOf(rows: readonly Row[], shiftMs: number): readonly ReplayedList[] {
  const lists = Map.groupBy(rows, ({ source, discoveredAt }) => `${source} ${discoveredAt}`);
  return [...lists.values()].map((list) => readList(list, shiftMs));
}

/** A JSON Feed that the parser reads. */
function readList(rows: readonly Row[], shiftMs: number): ReplayedList {
  const [first] = rows as [Row];
  const moved = (text: string): EpochMicroseconds => instantFromMs(Date.parse(text) + shiftMs);
  const items = rows.map(({ id, title, url: link, publishedAt }) => ({
    id,
    url: link,
    title,
    content_text: '',
    ...(publishedAt === null ? {} : { date_published: isoMilliseconds(moved(publishedAt)) }),
  }));
  const document = { version: 'https://jsonfeed.org/version/1.1', title: first.source, items };
  const discoveredAt = moved(first.discoveredAt);
  const parsed = parseFeed({
    url: feedUrlOf(first.source),
    bytes: Buffer.from(JSON.stringify(document)),
    contentType: 'application/feed+json',
    receivedAt: discoveredAt,
  });
  if (!parsed.ok) throw new Error(`${first.source}: ${parsed.reason}`);
  return { source: first.source, discoveredAt, feed: parsed.value };
}

export function feedUrlOf(source: string): string {
  return `https://${encodeURIComponent(source).replaceAll('%', '-').toLowerCase()}.example/feed.json`;
}

function itemsOf({ source, discoveredAt, feed }: ReplayedList): readonly ReplayedItem[] {
  return feed.entries.map(({ guid, title, link, published }) => {
    const key = guid ?? '';
    const stated = published.instant;
    return {
      key,
      id: simulatedId('item', key, instantToMs(discoveredAt)),
      source,
      title,
      url: link ?? feedUrlOf(source),
      publishedAt: stated === null || stated > discoveredAt ? null : stated,
      discoveredAt,
    };
  });
}
