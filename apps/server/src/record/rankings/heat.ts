import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds } from '../../foundation/instant.ts';

/** One item of a topic, as known when the ranking was computed. */
export interface HeatItem {
  readonly itemId: Id<'item'>;
  readonly owner: string;
  readonly sourceName: string;
  readonly firstParty: boolean;
  /** 0 for a reprint. */
  readonly weight: number;
  readonly reportedAt: EpochMicroseconds;
}

export interface HeatCandidate {
  /** The item that represents the topic. */
  readonly itemId: Id<'item'>;
  readonly items: readonly HeatItem[];
}

export interface RankedTopic extends HeatCandidate {
  readonly rank: number;
  readonly heat: number;
}

/** Incremented whenever the same evidence would give another ranking. */
export const heatRules = 'heat 1';

const countedMicroseconds = 2n * dayMicroseconds;
const ownersMin = 2;
const ranksMax = 10;

/** The top 10, from the evidence alone: the same items at the same instant always give the same ranking. */
export function rankTopics(
  candidates: readonly HeatCandidate[],
  at: EpochMicroseconds,
): readonly RankedTopic[] {
  return candidates
    .map((candidate) => scoreTopic(candidate, at))
    .filter(({ owners }) => owners >= ownersMin)
    .sort(byHeatDescending)
    .slice(0, ranksMax)
    .map(({ candidate, items, heat }, index) => ({ ...candidate, items, heat, rank: index + 1 }));
}

interface ScoredTopic {
  readonly candidate: HeatCandidate;
  readonly items: readonly HeatItem[];
  readonly heat: number;
  readonly owners: number;
  readonly firstParty: boolean;
  readonly latest: bigint;
}

/** Each independent owner counts once, with its item of the highest current weight. */
function scoreTopic(candidate: HeatCandidate, at: EpochMicroseconds): ScoredTopic {
  const items = candidate.items.filter(
    ({ weight, reportedAt }) => weight > 0 && reportedAt <= at && at - reportedAt <= countedMicroseconds,
  );
  const best = new Map<string, number>();
  for (const item of items) {
    const heat = item.weight * 2 ** (-Number(at - item.reportedAt) / Number(dayMicroseconds));
    best.set(item.owner, Math.max(heat, best.get(item.owner) ?? 0));
  }
  return {
    candidate,
    items,
    // Floating-point sums depend on their order, so it is fixed.
    heat: [...best.values()].sort((a, b) => a - b).reduce((sum, heat) => sum + heat, 0),
    owners: best.size,
    firstParty: items.some((item) => item.firstParty),
    latest: items.reduce((latest, { reportedAt }) => (reportedAt > latest ? reportedAt : latest), 0n),
  };
}

function byHeatDescending(one: ScoredTopic, other: ScoredTopic): number {
  return (
    other.heat - one.heat ||
    other.owners - one.owners ||
    Number(other.firstParty) - Number(one.firstParty) ||
    Number(other.latest - one.latest) ||
    (one.candidate.itemId < other.candidate.itemId ? -1 : 1)
  );
}
