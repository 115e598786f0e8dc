import { readFileSync } from 'node:fs';

import type { Target } from '../targets/target.ts';
import { classifiedTargets } from '../targets/target.ts';
import type { Feature } from './note-features.ts';

/** Weights of the trust signals, in their order. */
export type TrustWeights = readonly number[];

/** One line of weights per feature, and how far the scores are to be trusted. */
export interface ClassifierModel {
  readonly bias: Float64Array;
  readonly weights: ReadonlyMap<string, Float64Array>;
  readonly trust: TrustWeights;
}

export interface Ranked {
  readonly target: Target;
  readonly index: number;
  readonly probability: number;
}

/**
 * A target's shortest prefix that no other target shares: `fo` for FOOD_PREFERENCES. A line of the model reads
 * `topic food	fo213 resta80`: hundredths of a weight for each target that has one.
 */
const codes: readonly string[] = classifiedTargets.map((target) => {
  const name = target.toLowerCase();
  const others = classifiedTargets.map((other) => other.toLowerCase()).filter((other) => other !== name);
  let length = 1;
  while (others.some((other) => other.startsWith(name.slice(0, length)))) length += 1;
  return name.slice(0, length);
});

export function formatModel(model: ClassifierModel): string {
  const lines = [
    `trust ${model.trust.map((weight) => weight.toFixed(3)).join(' ')}`,
    `bias\t${formatWeights(model.bias)}`,
  ];
  for (const name of [...model.weights.keys()].sort()) {
    lines.push(`${name}\t${formatWeights(model.weights.get(name) ?? new Float64Array())}`);
  }
  return `${lines.join('\n')}\n`;
}

function formatWeights(weights: Float64Array): string {
  return codes
    .map((code, index) => ({ code, hundredths: Math.round((weights[index] ?? 0) * 100) }))
    .filter(({ hundredths }) => hundredths !== 0)
    .map(({ code, hundredths }) => `${code}${hundredths}`)
    .join(' ');
}

export function parseModel(source: string): ClassifierModel {
  const indexOf = new Map(codes.map((code, index) => [code, index]));
  const weights = new Map<string, Float64Array>();
  let trust: TrustWeights = [];
  for (const line of source.split('\n')) {
    if (line.startsWith('trust ')) trust = line.slice(6).split(' ').map(Number);
    const [name, pairs] = line.split('\t');
    if (name === undefined || pairs === undefined) continue;
    const row = new Float64Array(classifiedTargets.length);
    for (const pair of pairs.split(' ')) {
      const code = pair.replace(/-?\d+$/, '');
      const index = indexOf.get(code);
      if (index === undefined) throw new Error(`the model names a target that does not exist: ${pair}`);
      row[index] = Number(pair.slice(code.length)) / 100;
    }
    weights.set(name, row);
  }
  const bias = weights.get('bias') ?? new Float64Array(classifiedTargets.length);
  weights.delete('bias');
  return { bias, weights, trust };
}

export const modelAddress = new URL('./generated/model.txt', import.meta.url);
let loaded: ClassifierModel | null = null;

export function classifierModel(): ClassifierModel {
  loaded ??= parseModel(readFileSync(modelAddress, 'utf8'));
  return loaded;
}

/** All targets, most probable first; ties keep the order of `classifiedTargets`. */
export function rank(model: ClassifierModel, features: readonly Feature[]): readonly Ranked[] {
  const scores = Float64Array.from(model.bias);
  for (const { name, value } of features) {
    const row = model.weights.get(name);
    if (row === undefined) continue;
    for (let index = 0; index < scores.length; index += 1) {
      scores[index] = (scores[index] ?? 0) + (row[index] ?? 0) * value;
    }
  }
  const probabilities = softmax(scores);
  return classifiedTargets
    .map((target, index) => ({ target, index, probability: probabilities[index] ?? 0 }))
    .sort((left, right) => right.probability - left.probability || left.index - right.index);
}

export function softmax(scores: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (const score of scores) highest = Math.max(highest, score);
  const shares = scores.map((score) => Math.exp(score - highest));
  let sum = 0;
  for (const share of shares) sum += share;
  return shares.map((share) => share / sum);
}
