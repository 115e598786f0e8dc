import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import type { HotTopic } from './hot-topics-schema.ts';

export interface HotTopicsDeps extends HotTopicsContext {
  readonly record: RecordReader;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

export interface HotTopics {
  readonly rankedAt: string | null;
  readonly items: readonly HotTopic[];
}

export const hotTopicsCacheTags: readonly string[] = [recordCacheTags.hotTopics];

export function hotTopicsResource(
  deps: HotTopicsDeps,
  { language = deps.language }: LanguageQuery,
): Resource {
  return {
    key: `hot-topics ${language}`,
    cacheTags: hotTopicsCacheTags,
    build: async () => {
      const { rankedAt, items } = await readHotTopics(deps, language);
      return jsonBody(JSON.stringify({ schemaVersion: 1, rankedAt, count: items.length, items }));
    },
  };
}

export async function readHotTopics(deps: HotTopicsDeps, language: ReaderLanguage): Promise<HotTopics> {
  const ranking = await deps.record.latestRanking(language);
  return {
    rankedAt: formatInstant(ranking?.rankedAt ?? null),
    items: (ranking?.items ?? []).map((item, index) => presentHotTopic(item, index, deps)),
  };
}

interface HotTopicsContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

/** Omits the heat, which is internal. */
function presentHotTopic(
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
    sourceCount: item.sourceCount,
    recentSourceCount: item.recentSourceCount,
    sourceNames: [...item.sourceNames],
    latestAt: formatInstant(item.latestAt),
  };
}
