import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { holdItems } from '../locking.ts';
import type { HeatCandidate, RankedTopic } from './heat.ts';
import { heatRules, rankTopics } from './heat.ts';
import { insertRanking } from './ranking-store.ts';
import { rankingHash } from './replay-ranking.ts';
import type { StoredRanking } from './stored-ranking-store.ts';

export interface RankingToPublish {
  readonly candidates: readonly HeatCandidate[];
  /** When it was computed; now, unless a past ranking is inserted. */
  readonly rankedAt?: EpochMicroseconds;
}

export interface PublishedRanking {
  readonly rankingId: Id<'ranking'>;
  readonly topics: readonly RankedTopic[];
}

export type RankingFault = 'already_ranked' | 'unknown_item' | 'withdrawn_item' | 'repeated_item';

export async function publishRanking(
  context: DecisionContext,
  request: RankingToPublish,
): Promise<DecisionResult<PublishedRanking, RankingFault>> {
  const rankedAt = request.rankedAt ?? context.now;
  const topics = rankTopics(request.candidates, rankedAt);
  if (topics.some(hasRepeatedItem) || new Set(topics.map(({ itemId }) => itemId)).size < topics.length) {
    return refused('repeated_item');
  }
  const ids = [
    ...new Set(topics.flatMap((topic) => [topic.itemId, ...topic.items.map((one) => one.itemId)])),
  ];
  const items = await holdItems(context, ids);
  if (items.length < ids.length) return refused('unknown_item');
  if (items.some(({ withdrawnAt }) => withdrawnAt !== null)) return refused('withdrawn_item');
  const rankingId = context.ids.next<'ranking'>();
  const inserted = await insertRanking(context.database, {
    id: rankingId,
    rankedAt,
    topics,
    ruleVersion: heatRules,
    contentsHash: rankingHash(rankedAt, topics),
  });
  if (!inserted) return refused('already_ranked');
  context.log.push({
    kind: 'ranking',
    action: 'published',
    subject: rankingId,
    body: loggedRanking({ id: rankingId, rankedAt, topics }),
  });
  return decided({ rankingId, topics }, stale(recordCacheTags.hotTopics));
}

/** The content of a ranking in the public log. */
export function loggedRanking({
  id,
  rankedAt,
  topics,
}: Pick<StoredRanking, 'id' | 'rankedAt' | 'topics'>): JsonValue {
  return {
    id,
    rankedAt: isoMilliseconds(rankedAt),
    entries: topics.map(({ rank, itemId, heat }) => ({ rank, itemId, heat })),
  };
}

function hasRepeatedItem({ items }: RankedTopic): boolean {
  return new Set(items.map(({ itemId }) => itemId)).size < items.length;
}
