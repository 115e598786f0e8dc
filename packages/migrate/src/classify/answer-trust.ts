import type { ClassifierModel, Ranked, TrustWeights } from './classifier-model.ts';
import type { Feature } from './note-features.ts';

const epochs = 500;
const rate = 0.4;
const shrink = 0.002;
/**
 * Subtracted from the log-odds after fitting. The held-out voices still come from one project and notes of other
 * people differ more, so the tool claims less than it reaches on its own examples. Chosen by hand; see the README.
 */
const reserve = 0.45;

/**
 * Features that separate right answers from wrong ones: the confidence of the scores, the lead over the second,
 * the share of the note that the model knows, and whether a heading has a known topic.
 */
export function trustSignals(
  model: ClassifierModel,
  features: readonly Feature[],
  ranked: readonly Ranked[],
): readonly number[] {
  const first = Math.min(ranked[0]?.probability ?? 0, 0.999);
  const second = ranked[1]?.probability ?? 0;
  let words = 0;
  let known = 0;
  let topics = 0;
  let titled = 0;
  for (const { name, evidence } of features) {
    if (name.startsWith('word ')) {
      words += 1;
      if (model.weights.has(name)) known += 1;
    } else if (name.startsWith('topic ')) topics += evidence.length;
    else if (name.startsWith('title-is ') || name.startsWith('title-says ')) titled = 1;
  }
  return [
    1,
    Math.log(first / (1 - first)),
    Math.log(first / Math.max(second, 1e-4)),
    known / (words + 3),
    Math.min(topics, 6) / 6,
    titled,
  ];
}

export function confidence(weights: TrustWeights, signals: readonly number[]): number {
  let score = 0;
  for (let index = 0; index < signals.length; index += 1) {
    score += (weights[index] ?? 0) * (signals[index] ?? 0);
  }
  return 1 / (1 + Math.exp(-score));
}

export interface Judged {
  readonly voice: string;
  readonly signals: readonly number[];
  readonly right: boolean;
}

/** Logistic regression by plain gradient descent: few weights, the same steps every time. */
export function fitTrust(judged: readonly Judged[]): TrustWeights {
  const size = judged[0]?.signals.length ?? 0;
  const weights = Array.from({ length: size }, () => 0);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const slope = weights.map((weight, index) => (index === 0 ? 0 : shrink * weight));
    for (const { signals, right } of judged) {
      const gap = confidence(weights, signals) - (right ? 1 : 0);
      for (let index = 0; index < size; index += 1) {
        slope[index] = (slope[index] ?? 0) + (gap * (signals[index] ?? 0)) / judged.length;
      }
    }
    for (let index = 0; index < size; index += 1) {
      weights[index] = (weights[index] ?? 0) - rate * (slope[index] ?? 0);
    }
  }
  return weights.map((weight, index) => (index === 0 ? weight - reserve : weight));
}
