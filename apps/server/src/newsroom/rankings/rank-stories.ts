import type { Transaction } from 'kysely';

import { hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import type { Publisher } from '../../record/index.ts';
import type { HeatRules } from './heat-candidate-store.ts';
import { readHeatCandidates } from './heat-candidate-store.ts';

/** The formula is the record's (`rankings/heat.ts`); what an item weighs is decided here. */
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
 * Every five minutes the stories of the last two days, by independent owners. One transaction: a run that fails leaves
 * the last ranking as it is and is tried again within its five minutes. What was missed is not made up for.
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

/** In the caller's transaction; how many there are. */
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
  // Of this very instant there is one.
  if (ranked.reason === 'already_ranked') return 0;
  // What was withdrawn since it was read is gone when it is read again.
  if (ranked.reason === 'withdrawn_item')
    throw new ConcurrentChange('a ranked item has been withdrawn meanwhile');
  throw new Error(`the ranking was refused: ${ranked.reason}`);
}
