import { readFileSync } from 'node:fs';

import type { FeatureName, PairFeatures, PairLanguages } from './pair-features.ts';
import { featureNames } from './pair-features.ts';

export interface PairWeights {
  readonly bias: number;
  readonly weights: Readonly<Record<FeatureName, number>>;
}

/** Weights and thresholds, trained offline; the version is stored with every decision. */
export interface StoryModel {
  readonly version: string;
  readonly pairs: Readonly<Record<PairLanguages, PairWeights>>;
  /** The minimum for joining a story. */
  readonly joinFrom: number;
  /** From here to `joinFrom`, the story is marked as related. */
  readonly relatedFrom: number;
  /** The minimum for merging two stories. */
  readonly mergeFrom: number;
  /** The minimum likelihood that an item describes the founding item's event. */
  readonly founderFrom: number;
}

/** The likelihood that two items describe one event: 0 to 1. */
export function pairLikelihood({ bias, weights }: PairWeights, features: PairFeatures): number {
  let total = bias;
  for (const name of featureNames) total += weights[name] * features[name];
  return 1 / (1 + Math.exp(-total));
}

/** Rejects a file that was trained for other features: a missing weight would silently count as zero. */
export function parseStoryModel(text: string): StoryModel {
  const model = JSON.parse(text) as StoryModel;
  if (typeof model.version !== 'string' || model.version === '')
    throw new TypeError('story model: no version');
  for (const threshold of ['joinFrom', 'relatedFrom', 'mergeFrom', 'founderFrom'] as const) {
    if (!(model[threshold] > 0 && model[threshold] < 1))
      throw new TypeError(`story model: ${threshold} is not a likelihood`);
  }
  for (const languages of ['en', 'zh', 'cross'] as const) {
    const { bias, weights } = model.pairs[languages];
    const names = Object.keys(weights);
    const known =
      names.length === featureNames.length && featureNames.every((name) => Number.isFinite(weights[name]));
    if (!known || !Number.isFinite(bias))
      throw new TypeError(`story model: ${languages} was trained for other features`);
  }
  return model;
}

/** The model that ships with Daybook; `npm run stories:train` writes it. */
export function shippedStoryModel(): StoryModel {
  return parseStoryModel(readFileSync(new URL('story-weights.json', import.meta.url), 'utf8'));
}
