import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** One report of a topic, as it was known when the ranking was made. */
export interface HeatReport {
  readonly itemId: Id<'item'>;
  readonly owner: string;
  readonly sourceName: string;
  readonly firstParty: boolean;
  /** 0 for a reprint. */
  readonly weight: number;
  readonly reportedAt: EpochMicroseconds;
}

export interface HeatCandidate {
  /** The item that stands for the topic. */
  readonly itemId: Id<'item'>;
  readonly reports: readonly HeatReport[];
}

export interface RankedTopic extends HeatCandidate {
  readonly rank: number;
  readonly heat: number;
}

/** Raised whenever the same evidence would give another ranking. */
export const heatRules = 'heat 1';

const dayMicroseconds = 86_400_000_000;
const countedMicroseconds = 172_800_000_000n;
const ownersMin = 2;
const ranksMax = 10;

/** The Top 10, from the evidence alone: the same reports at the same instant always give the same ranking. */
export function rankTopics(
  candidates: readonly HeatCandidate[],
  at: EpochMicroseconds,
): readonly RankedTopic[] {
  return candidates
    .map((candidate) => scoreTopic(candidate, at))
    .filter(({ owners }) => owners >= ownersMin)
    .sort(byHeatDescending)
    .slice(0, ranksMax)
    .map(({ candidate, reports, heat }, index) => ({ ...candidate, reports, heat, rank: index + 1 }));
}

interface ScoredTopic {
  readonly candidate: HeatCandidate;
  readonly reports: readonly HeatReport[];
  readonly heat: number;
  readonly owners: number;
  readonly firstParty: boolean;
  readonly latest: bigint;
}

/** Each independent owner counts once, with the report of theirs that weighs most by now. */
function scoreTopic(candidate: HeatCandidate, at: EpochMicroseconds): ScoredTopic {
  const reports = candidate.reports.filter(
    ({ weight, reportedAt }) => weight > 0 && reportedAt <= at && at - reportedAt <= countedMicroseconds,
  );
  const best = new Map<string, number>();
  for (const report of reports) {
    const heat = report.weight * 2 ** (-Number(at - report.reportedAt) / dayMicroseconds);
    best.set(report.owner, Math.max(heat, best.get(report.owner) ?? 0));
  }
  return {
    candidate,
    reports,
    // Floating-point sums depend on their order, so it is fixed.
    heat: [...best.values()].sort((a, b) => a - b).reduce((sum, heat) => sum + heat, 0),
    owners: best.size,
    firstParty: reports.some((report) => report.firstParty),
    latest: reports.reduce((latest, { reportedAt }) => (reportedAt > latest ? reportedAt : latest), 0n),
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
