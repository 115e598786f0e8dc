import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { RecordReader } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import type { HotTopicsContext } from './hot-topics-presenter.ts';
import { presentHotTopic } from './hot-topics-presenter.ts';
import type { HotTopic } from './hot-topics-schema.ts';

export interface HotTopicsDeps extends HotTopicsContext {
  readonly record: RecordReader;
}

export interface HotTopics {
  readonly rankedAt: string | null;
  readonly items: readonly HotTopic[];
}

export const hotTopicsCacheTags: readonly string[] = [recordCacheTags.hotTopics];

export function hotTopicsResource(deps: HotTopicsDeps): Resource {
  return {
    key: 'hot-topics',
    cacheTags: hotTopicsCacheTags,
    build: async () => {
      const { rankedAt, items } = await readHotTopics(deps);
      return jsonBody(JSON.stringify({ schemaVersion: 1, rankedAt, count: items.length, items }));
    },
  };
}

export async function readHotTopics(deps: HotTopicsDeps): Promise<HotTopics> {
  const ranking = await deps.record.latestRanking();
  return {
    rankedAt: formatInstant(ranking?.rankedAt ?? null),
    items: (ranking?.items ?? []).map((item, index) => presentHotTopic(item, index, deps)),
  };
}
