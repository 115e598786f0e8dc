import { readFileSync } from 'node:fs';

import type { FeatureName, PairFeatures, PairLanguages } from './pair-features.ts';
import { featureNames } from './pair-features.ts';

export interface PairWeights {
  readonly bias: number;
  readonly weights: Readonly<Record<FeatureName, number>>;
}

/** Weights and thresholds, trained offline; the version is kept with every decision. */
export interface StoryModel {
  readonly version: string;
  readonly pairs: Readonly<Record<PairLanguages, PairWeights>>;
  /** An item joins a story from here on. */
  readonly joinFrom: number;
  /** Below `joinFrom` and from here on, the story is noted as related. */
  readonly relatedFrom: number;
  /** Two stories become one from here on. */
  readonly mergeFrom: number;
  /** An item less likely than this to tell of the founding item's event stays out. */
  readonly founderFrom: number;
}

/** How likely it is that two items tell of one event: 0 to 1. */
export function pairLikelihood({ bias, weights }: PairWeights, features: PairFeatures): number {
  let total = bias;
  for (const name of featureNames) total += weights[name] * features[name];
  return 1 / (1 + Math.exp(-total));
}

/** Refuses a file that was trained for other features: an absent weight would silently count nothing. */
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
