import type { Transaction } from 'kysely';

import { hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import type { Publisher } from '../../record/index.ts';
import type { HeatRules } from './heat-candidate-store.ts';
import { readHeatCandidates } from './heat-candidate-store.ts';

/** The record defines the formula (`rankings/heat.ts`); these are the weights of items. */
const rules: HeatRules = {
  // An organization's own channel and the established press; specialised press; aggregators and communities.
  tierWeights: [1, 1, 0.7, 0.4],
  unknownTier: 3,
  countedMs: 48 * hourMs,
  ranksMax: 10,
};
const retryAfterMs = 60_000;

export interface RankingDeps {
  readonly clock: Clock;
  readonly publisher: Publisher;
}

/**
 * Ranks the stories of the last two days by independent owners every five minutes. One transaction: a run that fails
 * leaves the last ranking unchanged and is retried within its five minutes. Missed slots are not filled in.
 */
export function createRanking(deps: RankingDeps): RecurringTask {
  return {
    name: 'rank-stories',
    every: { minutes: 5 },
    queue: { name: 'rankings', runningMax: 1 },
    retryAfterMs,
    run: (context) => context.transaction('publish', (transaction) => rankStories(deps, transaction)),
  };
}

/** Runs in the caller's transaction; returns the number of topics. */
export async function rankStories(
  { clock, publisher }: RankingDeps,
  transaction: Transaction<DB>,
): Promise<number> {
  const rankedAt = clock.now();
  const candidates = await readHeatCandidates(transaction, rankedAt, rules);
  const ranked = await publisher.within(transaction, (decisions) =>
    decisions.publishRanking({ candidates, rankedAt }),
  );
  if (ranked.ok) return ranked.value.topics.length;
  // A ranking of this instant exists.
  if (ranked.reason === 'already_ranked') return 0;
  // An item withdrawn since it was read is no longer in the next read.
  if (ranked.reason === 'withdrawn_item')
    throw new ConcurrentChange('a ranked item has been withdrawn meanwhile');
  throw new Error(`the ranking was refused: ${ranked.reason}`);
}
