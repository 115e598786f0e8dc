import { readFileSync } from 'node:fs';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';
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

/** Weeks of real news in order of discovery. */
export function readReplay(path: string): {
  readonly rows: number;
  readonly items: readonly ReplayedItem[];
} {
  const lines = readFileSync(path, 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
  const lists = Map.groupBy(rows, ({ source, discoveredAt }) => `${source} ${discoveredAt}`);
  const items = [...lists.values()].flatMap(readList);
  items.sort((one, other) => Number(one.discoveredAt - other.discoveredAt) || (one.key < other.key ? -1 : 1));
  return { rows: rows.length, items };
}

/** What one source listed at one time, as a JSON Feed that the parser reads. */
function readList(rows: readonly Row[]): readonly ReplayedItem[] {
  const [first] = rows as [Row];
  const url = `https://${encodeURIComponent(first.source)}.example/feed.json`;
  const items = rows.map(({ id, title, url: link, publishedAt }) => ({
    id,
    url: link,
    title,
    content_text: '',
    ...(publishedAt === null ? {} : { date_published: publishedAt }),
  }));
  const document = { version: 'https://jsonfeed.org/version/1.1', title: first.source, items };
  const discoveredMs = Date.parse(first.discoveredAt);
  const discoveredAt = instantFromMs(discoveredMs);
  const parsed = parseFeed({
    url,
    bytes: Buffer.from(JSON.stringify(document)),
    contentType: 'application/feed+json',
    receivedAt: discoveredAt,
  });
  if (!parsed.ok) throw new Error(`${url}: ${parsed.reason}`);
  return parsed.value.entries.map(({ guid, title, link, published }) => {
    const key = guid ?? '';
    const stated = published.instant;
    return {
      key,
      id: simulatedId('item', key, discoveredMs),
      source: first.source,
      title,
      url: link ?? url,
      publishedAt: stated === null || stated > discoveredAt ? null : stated,
      discoveredAt,
    };
  });
}
