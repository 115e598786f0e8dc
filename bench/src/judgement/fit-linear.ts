import type { StoredWeights } from '../../../apps/server/src/newsroom/copy/judgement/linear-model.ts';
import { encodeWeights } from '../../../apps/server/src/newsroom/copy/judgement/linear-model.ts';
import type { TextFeatures } from '../../../apps/server/src/newsroom/copy/judgement/text-features.ts';
import { tableSize } from '../../../apps/server/src/newsroom/copy/judgement/text-features.ts';

export interface LinearExample {
  readonly features: TextFeatures;
  readonly positive: boolean;
  readonly weight: number;
}

export interface FitSettings {
  readonly rounds: number;
  readonly penalty: number;
  /** The number of weights, a power of two. */
  readonly size?: number;
}

const rate = 0.5;

/**
 * Logistic regression by stochastic gradient descent with a step per weight (AdaGrad), in the order of the examples:
 * no randomness. The penalty shrinks a weight whenever one of its examples is read.
 */
export function fitLinear(
  examples: readonly LinearExample[],
  { rounds, penalty, size = tableSize }: FitSettings,
): StoredWeights {
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-6);
  let [bias, biasSquares] = [0, 1e-6];
  for (let round = 0; round < rounds; round += 1) {
    for (const { features, positive, weight } of examples) {
      const { values } = features;
      const at = features.at.map((place) => place & (size - 1));
      let score = bias;
      for (let index = 0; index < at.length; index += 1)
        score += (weights[at[index] as number] as number) * (values[index] as number);
      const error = weight * (1 / (1 + Math.exp(-score)) - (positive ? 1 : 0));
      biasSquares += error ** 2;
      bias -= (rate * error) / Math.sqrt(biasSquares);
      for (let index = 0; index < at.length; index += 1) {
        const place = at[index] as number;
        const slope = error * (values[index] as number) + penalty * weight * (weights[place] as number);
        squares[place] = (squares[place] as number) + slope ** 2;
        weights[place] = (weights[place] as number) - (rate * slope) / Math.sqrt(squares[place]);
      }
    }
  }
  return encodeWeights(bias, weights);
}
