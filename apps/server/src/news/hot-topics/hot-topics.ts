import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { Database } from '../../foundation/database/database.ts';
import { recordTopics } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import { sentInstantOrNull } from '../record-instant.ts';
import type { HotTopicsContext } from './hot-topics-presenter.ts';
import { presentHotTopic } from './hot-topics-presenter.ts';
import type { HotTopic } from './hot-topics-schema.ts';
import { readLatestRanking } from './hot-topics-store.ts';

export interface HotTopicsDeps extends HotTopicsContext {
  readonly database: Database;
}

export interface HotTopics {
  readonly rankedAt: string | null;
  readonly items: readonly HotTopic[];
}

export const hotTopicsTopics: readonly string[] = [recordTopics.hotTopics];

export function hotTopicsResource(deps: HotTopicsDeps): Resource {
  return {
    key: 'hot-topics',
    topics: hotTopicsTopics,
    build: async () => {
      const { rankedAt, items } = await readHotTopics(deps);
      return jsonBody(JSON.stringify({ schemaVersion: 1, rankedAt, count: items.length, items }));
    },
  };
}

export async function readHotTopics(deps: HotTopicsDeps): Promise<HotTopics> {
  const ranking = await readLatestRanking(deps.database);
  const rows = ranking?.rows ?? [];
  return {
    rankedAt: sentInstantOrNull(ranking?.rankedAt ?? null),
    items: rows.map((row, index) => presentHotTopic(row, index, deps)),
  };
}
