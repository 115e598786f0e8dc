/** A labelled row: values by feature, whether it is positive, and its weight. */
export interface LabelledRow {
  readonly values: readonly number[];
  readonly positive: boolean;
  readonly weight: number;
}

const newtonRounds = 12;

/** Logistic regression by Newton's method; the penalty draws the weights to their priors, except the first, the bias. */
export function fitLogistic(
  rows: readonly LabelledRow[],
  penalty: number,
  priors: readonly number[],
): number[] {
  const size = priors.length;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  let weights = Float64Array.from(priors);
  for (let round = 0; round < newtonRounds; round += 1) {
    const { gradient, curvature } = derivatives(rows, weights);
    for (let at = 0; at < size; at += 1) {
      const ridge = at === 0 ? 1e-9 : penalty * total;
      gradient[at] = (gradient[at] as number) + ridge * ((weights[at] as number) - (priors[at] as number));
      curvature[at * size + at] = (curvature[at * size + at] as number) + ridge;
    }
    const step = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (step[at] as number));
  }
  return [...weights];
}

function derivatives(
  rows: readonly LabelledRow[],
  weights: Float64Array,
): { readonly gradient: Float64Array; readonly curvature: Float64Array } {
  const size = weights.length;
  const gradient = new Float64Array(size);
  const curvature = new Float64Array(size * size);
  for (const { values, positive, weight } of rows) {
    const chance = chanceOf(values, weights);
    const error = (chance - (positive ? 1 : 0)) * weight;
    const bend = chance * (1 - chance) * weight;
    for (let at = 0; at < size; at += 1) {
      const value = values[at] as number;
      if (value === 0) continue;
      gradient[at] = (gradient[at] as number) + error * value;
      for (let other = 0; other <= at; other += 1)
        curvature[at * size + other] =
          (curvature[at * size + other] as number) + bend * value * (values[other] as number);
    }
  }
  for (let at = 0; at < size; at += 1)
    for (let other = 0; other < at; other += 1)
      curvature[other * size + at] = curvature[at * size + other] as number;
  return { gradient, curvature };
}

function chanceOf(values: readonly number[], weights: ArrayLike<number>): number {
  let score = 0;
  for (let at = 0; at < values.length; at += 1) score += (values[at] as number) * (weights[at] as number);
  return 1 / (1 + Math.exp(-score));
}

/** Cholesky's method: the matrix is symmetric and, with the penalty, positive definite. */
function solve(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column] as number;
      for (let at = 0; at < column; at += 1)
        sum -= (lower[row * size + at] as number) * (lower[column * size + at] as number);
      lower[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (lower[column * size + column] as number);
    }
  const solved = Float64Array.from(vector);
  for (let row = 0; row < size; row += 1) {
    for (let at = 0; at < row; at += 1)
      solved[row] = (solved[row] as number) - (lower[row * size + at] as number) * (solved[at] as number);
    solved[row] = (solved[row] as number) / (lower[row * size + row] as number);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let at = row + 1; at < size; at += 1)
      solved[row] = (solved[row] as number) - (lower[at * size + row] as number) * (solved[at] as number);
    solved[row] = (solved[row] as number) / (lower[row * size + row] as number);
  }
  return solved;
}

const descentRounds = 1500;

/** The same with weights that stay near their priors and have their signs (0: any), by accelerated projected descent. */
export function fitFromPriors(
  rows: readonly LabelledRow[],
  penalty: number,
  priors: readonly number[],
): number[] {
  const size = priors.length;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  // The curvature of the logistic loss is at most a quarter of the mean square length of a row.
  const steepest =
    rows.reduce(
      (sum, { values, weight }) => sum + weight * values.reduce((all, one) => all + one * one, 0),
      0,
    ) /
    (4 * total);
  const rate = 1 / (steepest + penalty);
  let weights = Float64Array.from(priors);
  let ahead = weights;
  let momentum = 1;
  for (let round = 0; round < descentRounds; round += 1) {
    const gradient = new Float64Array(size);
    for (const { values, positive, weight } of rows) {
      const error = (chanceOf(values, ahead) - (positive ? 1 : 0)) * weight;
      for (let at = 0; at < size; at += 1)
        gradient[at] = (gradient[at] as number) + error * (values[at] as number);
    }
    const next = ahead.map((weight, at) => {
      const moved =
        weight -
        rate * ((gradient[at] as number) / total + (at === 0 ? 0 : penalty * (weight - (priors[at] ?? 0))));
      return moved * (priors[at] ?? 0) < 0 ? 0 : moved;
    });
    const nextMomentum = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const share = (momentum - 1) / nextMomentum;
    ahead = next.map((weight, at) => weight + share * (weight - (weights[at] as number)));
    [weights, momentum] = [next, nextMomentum];
  }
  return [...weights];
}
