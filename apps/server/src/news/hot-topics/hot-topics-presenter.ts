import type { recorded } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { formatInstant } from '../json-body.ts';
import type { HotTopic } from './hot-topics-schema.ts';

export interface HotTopicsContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

/** Omits the heat, which is internal. */
export function presentHotTopic(
  item: recorded.RankedItem,
  index: number,
  { addresses, storyLayer }: HotTopicsContext,
): HotTopic {
  return {
    rank: index + 1,
    id: item.id,
    title: item.title,
    language: item.language,
    summary: item.summary,
    category: item.category,
    source: { name: item.sourceName },
    publishedAt: formatInstant(item.publishedAt),
    discoveredAt: formatInstant(item.discoveredAt),
    links: {
      item: addresses.item(item.id),
      original: item.originalUrl,
      ...(storyLayer && item.storyId !== null ? { story: addresses.story(item.storyId) } : {}),
    },
    sourceCount: item.sourceNames.length,
    sourceNames: [...item.sourceNames],
    latestAt: formatInstant(item.latestAt),
  };
}
