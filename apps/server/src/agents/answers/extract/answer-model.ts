import { readFileSync } from 'node:fs';

import type { SentenceFeatures } from './sentence-features.ts';
import { featureNames } from './sentence-features.ts';
import type { SupportFeatures } from './support-features.ts';
import { supportNames } from './support-features.ts';

/** Trained offline from questions with labelled answers. */
export interface AnswerModel {
  readonly version: string;
  /** Whether a sentence contains what a question asks for. */
  readonly sentence: SentenceFeatures;
  /** Whether the best sentences answer the question at all. */
  readonly support: SupportFeatures;
  /** Below this likelihood a question is refused. */
  readonly answersFrom: number;
}

/** As stored; the figures are those of documents that the model was not trained on. */
export interface StoredAnswerModel extends AnswerModel {
  readonly figures: Readonly<Record<string, number>>;
}

export function parseAnswerModel(text: string): AnswerModel {
  const { version, sentence, support, answersFrom } = JSON.parse(text) as StoredAnswerModel;
  if (typeof version !== 'string' || version === '') throw new TypeError('answer model: no version');
  if (!(answersFrom > 0 && answersFrom < 1))
    throw new TypeError('answer model: answersFrom is not a likelihood');
  requireWeights(sentence, featureNames);
  requireWeights(support, supportNames);
  return { version, sentence, support, answersFrom };
}

function requireWeights(weights: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.find((name) => !Number.isFinite(weights[name]));
  if (missing !== undefined) throw new TypeError(`answer model: no weight of ${missing}`);
}

let shipped: AnswerModel | undefined;

/** The model that ships with Daybook; `npm run answers:train` writes it. */
export function shippedAnswerModel(): AnswerModel {
  shipped ??= parseAnswerModel(readFileSync(new URL('answer-weights.json', import.meta.url), 'utf8'));
  return shipped;
}

/** The likelihood of a linear function of features. */
export function likelihood<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  features: Readonly<Record<Name, number>>,
  names: readonly Name[],
): number {
  return 1 / (1 + Math.exp(-names.reduce((sum, name) => sum + weights[name] * features[name], 0)));
}
