import type { Addresses } from '../addresses.ts';
import { sentInstant, sentInstantOrNull } from '../record-instant.ts';
import type { HotTopic } from './hot-topics-schema.ts';
import type { HotTopicRow } from './hot-topics-store.ts';

export interface HotTopicsContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

/** Entries that were withdrawn are gone already; those that stand close ranks. Heat stays inside. */
export function presentHotTopic(row: HotTopicRow, index: number, context: HotTopicsContext): HotTopic {
  const { addresses, storyLayer } = context;
  const sourceNames = row.source_names ?? [row.source_name];
  return {
    rank: index + 1,
    id: row.id,
    title: row.title,
    summary: row.summary,
    category: row.category,
    source: { name: row.source_name },
    publishedAt: sentInstantOrNull(row.published_at),
    discoveredAt: sentInstant(row.discovered_at),
    links: {
      item: addresses.item(row.id),
      original: row.original_url,
      ...(storyLayer && row.story_id !== null ? { story: addresses.story(row.story_id) } : {}),
    },
    sourceCount: sourceNames.length,
    sourceNames: [...sourceNames],
    latestAt: sentInstant(row.latest_at ?? row.discovered_at),
  };
}
