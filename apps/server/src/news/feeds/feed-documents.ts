import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { recordTopics } from '../../record/index.ts';
import { latestSelected, readItemList } from '../items/item-list.ts';
import type { ItemsDeps } from '../items/items-page.ts';
import { sentInstant } from '../record-instant.ts';
import type { ReportDefinition } from '../reports/report-kinds.ts';
import type { ReportDeps } from '../reports/report-page.ts';
import { readEditionEntries } from '../reports/report-store.ts';
import type { FeedFormat } from './feed-writer.ts';
import { writeFeed } from './feed-writer.ts';

const entriesMax = 50;

export function selectedFeedResource(deps: ItemsDeps, path: string, format: FeedFormat): Resource {
  return {
    key: path,
    topics: [recordTopics.items],
    build: async () => {
      const items = await readItemList(deps, latestSelected, entriesMax);
      return writeFeed(
        {
          title: 'Daybook: selected items',
          selfUrl: `${deps.baseUrl}${path}`,
          homeUrl: `${deps.baseUrl}/`,
          entries: items.map((item) => ({
            id: `urn:uuid:${item.id}`,
            title: item.title,
            text: item.summary,
            url: item.links.item,
            originalUrl: item.links.original,
            author: item.source.name,
            category: item.category,
            publishedAt: item.publishedAt,
            updatedAt: item.discoveredAt,
          })),
        },
        format,
      );
    },
  };
}

export function reportFeedResource(
  deps: ReportDeps,
  { kind }: ReportDefinition,
  path: string,
  format: FeedFormat,
): Resource {
  return {
    key: path,
    topics: [recordTopics.reports],
    build: async () => {
      const { addresses } = deps;
      const rows = await readEditionEntries(deps.database, kind, entriesMax);
      return writeFeed(
        {
          title: `Daybook: ${kind} reports`,
          selfUrl: `${addresses.baseUrl}${path}`,
          homeUrl: `${addresses.baseUrl}/`,
          entries: rows.map((row) => ({
            id: `urn:daybook:${kind}:${row.period}`,
            title: `${row.period}: ${row.headline}`,
            text: row.overview,
            url: addresses.report(kind, row.period),
            originalUrl: null,
            author: null,
            category: null,
            publishedAt: null,
            updatedAt: sentInstant(row.generated_at),
          })),
        },
        format,
      );
    },
  };
}
