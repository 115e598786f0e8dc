/** A labelled row: values by feature, whether it is positive, and its weight. */
export interface LabelledRow {
  readonly values: readonly number[];
  readonly positive: boolean;
  readonly weight: number;
}

export interface LogisticFit {
  readonly rounds: number;
  readonly rate: number;
  readonly penalty: number;
  /** The sign that each weight may have; 0 or no list: any. */
  readonly signs?: readonly number[];
}

/** Logistic regression by gradient descent; the first feature is the bias, which has no penalty. */
export function fitLogistic(
  rows: readonly LabelledRow[],
  { rounds, rate, penalty, signs }: LogisticFit,
): number[] {
  const size = rows[0]?.values.length ?? 0;
  const weights = Array.from({ length: size }, () => 0);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  for (let round = 0; round < rounds; round += 1) {
    const gradient = gradientOf(rows, weights);
    for (let at = 0; at < size; at += 1) {
      const weight = weights[at] ?? 0;
      const next = weight - rate * ((gradient[at] ?? 0) / total + (at === 0 ? 0 : penalty * weight));
      weights[at] = next * (signs?.[at] ?? 0) < 0 ? 0 : next;
    }
  }
  return weights;
}

function gradientOf(rows: readonly LabelledRow[], weights: readonly number[]): Float64Array {
  const gradient = new Float64Array(weights.length);
  for (const { values, positive, weight } of rows) {
    let score = 0;
    for (let at = 0; at < values.length; at += 1) score += (values[at] as number) * (weights[at] as number);
    const error = (1 / (1 + Math.exp(-score)) - (positive ? 1 : 0)) * weight;
    for (let at = 0; at < values.length; at += 1)
      gradient[at] = (gradient[at] as number) + error * (values[at] as number);
  }
  return gradient;
}
