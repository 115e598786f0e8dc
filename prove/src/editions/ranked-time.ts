import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { hourMs, minuteMs } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import type { RankingDeps } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { rankStories } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { rankAgain } from '../../../apps/server/src/record/rankings/replay-ranking.ts';
import { readStoredRankings } from '../../../apps/server/src/record/rankings/stored-ranking-store.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import type { YearStage } from './year-stage.ts';

const slotMs = 5 * minuteMs;

/** A span with a ranking every five minutes, as a worker makes them; outside it one an hour. */
export interface DenseStretch {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
}

/** Time of a year's stage that passes from one ranking to the next, each by the worker's own code. */
export class RankedTime {
  readonly #stage: YearStage;
  readonly #dense: DenseStretch;
  readonly #deps: RankingDeps;
  #next: EpochMicroseconds;

  constructor(stage: YearStage, from: EpochMicroseconds, dense: DenseStretch) {
    const clock: Clock = { now: () => this.#next, nowMs: () => instantToMs(this.#next) };
    const ids = createIdSource({ clock, randomBytes });
    this.#stage = stage;
    this.#next = from;
    this.#dense = dense;
    this.#deps = { clock, publisher: createPublisher({ database: stage.database, clock, ids }) };
  }

  /** Publishes and ranks up to this instant, and publishes what is left until then. */
  async passUntil(until: EpochMicroseconds): Promise<void> {
    const { database, publishUntil } = this.#stage;
    for (; this.#next < until; this.#next = this.#following()) {
      await publishUntil(this.#next);
      await retryConcurrentChanges(database, () =>
        database.transaction().execute((transaction) => rankStories(this.#deps, transaction)),
      );
    }
    await publishUntil(until);
  }

  /** No ranking until then; missed rankings are not caught up. */
  async skipUntil(until: EpochMicroseconds): Promise<void> {
    while (this.#next < until) this.#next = this.#following();
    await this.#stage.publishUntil(until);
  }

  #following(): EpochMicroseconds {
    const isDense = this.#next >= this.#dense.from && this.#next < this.#dense.to;
    return addMs(this.#next, isDense ? slotMs : hourMs);
  }
}

export interface ReplayedRankings {
  readonly made: number;
  readonly withTopics: number;
  /** Of those with topics, how many are the same byte for byte when they are made again. */
  readonly sameWithTopics: number;
  /** Of all. */
  readonly notSame: number;
}

const rankingsAtOnce = 500;

/** Makes every ranking again from its evidence. */
export async function replayRankings(database: Database): Promise<ReplayedRankings> {
  const { rows } = await sql<{ id: Id<'ranking'> }>`SELECT id FROM record.ranking ORDER BY ranked_at`.execute(
    database,
  );
  const counts = { made: rows.length, withTopics: 0, sameWithTopics: 0, notSame: 0 };
  for (let at = 0; at < rows.length; at += rankingsAtOnce) {
    const ids = rows.slice(at, at + rankingsAtOnce).map(({ id }) => id);
    for (const ranking of await readStoredRankings(database, ids)) {
      const isSame = rankAgain(ranking).outcome === 'same';
      const hasTopics = ranking.topics.length > 0;
      if (hasTopics) counts.withTopics += 1;
      if (hasTopics && isSame) counts.sameWithTopics += 1;
      if (!isSame) counts.notSame += 1;
    }
  }
  return counts;
}
