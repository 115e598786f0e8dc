import type { Reach } from './reach.ts';

/** The input of a score. All values are passed in; none is looked up. */
export interface ScoreInput {
  /** 1 own channels of labs and regulators, 2 established press, 3 specialised press, 4 aggregators and communities. */
  readonly tier: 1 | 2 | 3 | 4;
  readonly firstParty: boolean;
  /** Whether it opens its story or reading group, adds facts to it, or repeats. */
  readonly novelty: 'first' | 'adds' | 'repeats';
  /** Independent owners that report the story, this one included. */
  readonly owners: number;
  /** 0 to 1. */
  readonly substance: number;
  readonly reach: Reach;
}

export type ScorePart = 'tier' | 'firstParty' | 'novelty' | 'coverage' | 'substance' | 'reach';

export interface Score {
  /** 0 to 100, whole. */
  readonly value: number;
  /** The contribution of each part; they add up to the value. */
  readonly parts: Readonly<Record<ScorePart, number>>;
}

/** The maximum of each part. */
export const partWeights: Readonly<Record<ScorePart, number>> = {
  tier: 18,
  firstParty: 8,
  novelty: 14,
  coverage: 18,
  substance: 24,
  reach: 18,
};

const tierShares = { 1: 1, 2: 0.8, 3: 0.55, 4: 0.25 } as const;
const noveltyShares = { first: 1, adds: 0.6, repeats: 0 } as const;

export function scoreOf(input: ScoreInput): Score {
  const shares: Readonly<Record<ScorePart, number>> = {
    tier: tierShares[input.tier],
    firstParty: input.firstParty ? 1 : 0,
    novelty: noveltyShares[input.novelty],
    // Each further owner adds less than the one before; a single owner is no evidence of coverage.
    coverage: Math.min(1, Math.log2(Math.max(1, input.owners)) / 3),
    substance: input.substance,
    reach: input.reach.value,
  };
  const parts = Object.fromEntries(
    Object.entries(shares).map(([part, share]) => [part, Math.round(share * partWeights[part as ScorePart])]),
  ) as Record<ScorePart, number>;
  return { value: Object.values(parts).reduce((sum, part) => sum + part, 0), parts };
}
