import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import type { HeatItem, RankedTopic } from './heat.ts';
import { heatRules, rankTopics } from './heat.ts';
import type { StoredRanking } from './stored-ranking-store.ts';
import { findRankingBefore, readStoredRankings } from './stored-ranking-store.ts';

export interface RankingReplay {
  readonly rankedAt: EpochMicroseconds;
  /** `same`: byte for byte, with its evidence. `other rules`: by a formula that this release does not have. */
  readonly outcome: 'same' | 'different' | 'other rules';
  /** Of the replayed ranking. */
  readonly hash: string | null;
}

/**
 * By its id, or the latest one at an instant: the API shows whole milliseconds, so the rest of that millisecond
 * counts. Null if none exists.
 */
export async function replayRanking(
  database: Database,
  which: Id<'ranking'> | EpochMicroseconds,
): Promise<RankingReplay | null> {
  const id = typeof which === 'bigint' ? await findRankingBefore(database, addMs(which, 1)) : which;
  const [stored] = id === null ? [] : await readStoredRankings(database, [id]);
  return stored === undefined ? null : rankAgain(stored);
}

/** From its evidence alone: reads nothing else, so later changes of the items have no effect. */
export function rankAgain({
  rankedAt,
  topics,
  ruleVersion,
  contentsHash,
}: Omit<StoredRanking, 'id'>): RankingReplay {
  if (ruleVersion !== null && ruleVersion !== heatRules)
    return { rankedAt, outcome: 'other rules', hash: null };
  const made = rankingHash(rankedAt, rankTopics(topics, rankedAt));
  const isSame =
    made.equals(rankingHash(rankedAt, topics)) && (contentsHash === null || made.equals(contentsHash));
  return { rankedAt, outcome: isSame ? 'same' : 'different', hash: made.toString('hex') };
}

/** SHA-256 of the canonical JSON. Rows of evidence have no order, so they are sorted by item. */
export function rankingHash(rankedAt: EpochMicroseconds, topics: readonly RankedTopic[]): Buffer {
  return sha256Bytes(
    canonicalJson({
      rankedAt: isoMicroseconds(rankedAt),
      topics: topics.map(({ rank, itemId, heat, items }) => ({
        rank,
        itemId,
        heat,
        // Stored hashes were computed with this name.
        reports: items.map(itemJson).sort((one, other) => (one.itemId < other.itemId ? -1 : 1)),
      })),
    }),
  );
}

function itemJson({ itemId, owner, sourceName, firstParty, weight, reportedAt }: HeatItem) {
  return { itemId, owner, sourceName, firstParty, weight, reportedAt: isoMicroseconds(reportedAt) };
}
