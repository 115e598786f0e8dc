import type { TextFeatures } from './text-features.ts';
import { tableSize } from './text-features.ts';

/** One linear function of the features, with whole-number weights. */
export interface LinearWeights {
  readonly bias: number;
  /** The value of one step of a weight. */
  readonly step: number;
  readonly weights: Int8Array;
}

/** As stored: the weights in base64. */
export interface StoredWeights extends Omit<LinearWeights, 'weights'> {
  readonly weights: string;
}

export function decodeWeights({ bias, step, weights }: StoredWeights): LinearWeights {
  const table = new Int8Array(Buffer.from(weights, 'base64'));
  if (table.length === 0 || tableSize % table.length !== 0)
    throw new TypeError('weights were trained for other features');
  if (!Number.isFinite(bias) || !(step > 0)) throw new TypeError('weights without bias or step');
  return { bias, step, weights: table };
}

/** Rounds to steps: the largest weight is 127 steps. */
export function encodeWeights(bias: number, weights: Float64Array): StoredWeights {
  const step = Math.max(1e-9, weights.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127);
  const table = Int8Array.from(weights, (weight) => Math.round(weight / step));
  return { bias, step, weights: Buffer.from(table.buffer).toString('base64') };
}

export function scoreOf({ bias, step, weights }: LinearWeights, { at, values }: TextFeatures): number {
  // A smaller table shares its places.
  const last = weights.length - 1;
  let sum = 0;
  for (let index = 0; index < at.length; index += 1)
    sum += (weights[(at[index] as number) & last] as number) * (values[index] as number);
  return bias + step * sum;
}

export function likelihood(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
