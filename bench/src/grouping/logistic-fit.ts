/** One example: its measures, whether the answer is yes, and how much it counts. */
export interface FitExample {
  readonly values: readonly number[];
  readonly positive: boolean;
  readonly weight: number;
  /** A fixed part of the score that is not trained. */
  readonly offset?: number;
}

export interface LogisticFit {
  readonly bias: number;
  readonly weights: readonly number[];
}

const stepsMax = 40;

/**
 * Logistic regression by Newton's method: no randomness. The penalty draws the weights (not the bias) towards `prior`,
 * or towards zero: where examples say little, a weight stays what it was elsewhere.
 */
export function fitLogistic(
  examples: readonly FitExample[],
  penalty: number,
  prior: readonly number[] = [],
): LogisticFit {
  const width = (examples[0]?.values.length ?? 0) + 1;
  const drawnTo = Float64Array.from({ length: width }, (_, at) => prior[at - 1] ?? 0);
  let fit = drawnTo.slice();
  for (let step = 0; step < stepsMax; step += 1) {
    const { gradient, hessian } = derivatives(examples, fit, { penalty, drawnTo });
    const change = solve(hessian, gradient);
    fit = improve(fit, change, (tried) => lossOf(examples, tried, { penalty, drawnTo }));
    if (change.every((value) => Math.abs(value) < 1e-8)) break;
  }
  return { bias: fit[0] ?? 0, weights: Array.from(fit.subarray(1)) };
}

interface Penalty {
  readonly penalty: number;
  readonly drawnTo: Float64Array;
}

/** Newton's step, halved until the fit improves: far from the optimum the whole step can overshoot. */
function improve(
  fit: Float64Array<ArrayBuffer>,
  change: Float64Array,
  loss: (tried: Float64Array) => number,
): Float64Array<ArrayBuffer> {
  const before = loss(fit);
  for (let share = 1; share > 1e-6; share /= 2) {
    const tried = fit.map((value, at) => value + share * (change[at] ?? 0));
    if (loss(tried) <= before) return tried;
  }
  return fit;
}

function lossOf(examples: readonly FitExample[], fit: Float64Array, { penalty, drawnTo }: Penalty): number {
  let loss = 0;
  for (const { values, positive, weight, offset = 0 } of examples) {
    const score = (dot([1, ...values], fit) + offset) * (positive ? 1 : -1);
    loss += weight * (score > 0 ? Math.log1p(Math.exp(-score)) : Math.log1p(Math.exp(score)) - score);
  }
  for (let at = 1; at < fit.length; at += 1)
    loss += (penalty / 2) * ((fit[at] ?? 0) - (drawnTo[at] ?? 0)) ** 2;
  return loss;
}

function derivatives(
  examples: readonly FitExample[],
  fit: Float64Array,
  { penalty, drawnTo }: Penalty,
): { readonly gradient: Float64Array; readonly hessian: readonly Float64Array[] } {
  const width = fit.length;
  const gradient = new Float64Array(width);
  const hessian = Array.from({ length: width }, () => new Float64Array(width));
  for (const { values, positive, weight, offset = 0 } of examples) {
    const row = [1, ...values];
    const likelihood = 1 / (1 + Math.exp(-dot(row, fit) - offset));
    const error = weight * (Number(positive) - likelihood);
    const spread = weight * likelihood * (1 - likelihood);
    for (const [at, value] of row.entries()) {
      gradient[at] = (gradient[at] ?? 0) + error * value;
      const line = hessian[at] as Float64Array;
      for (let to = 0; to < width; to += 1) line[to] = (line[to] ?? 0) + spread * value * (row[to] ?? 0);
    }
  }
  for (let at = 1; at < width; at += 1) {
    gradient[at] = (gradient[at] ?? 0) - penalty * ((fit[at] ?? 0) - (drawnTo[at] ?? 0));
    const line = hessian[at] as Float64Array;
    line[at] = (line[at] ?? 0) + penalty;
  }
  return { gradient, hessian };
}

function dot(row: readonly number[], fit: Float64Array): number {
  let total = 0;
  for (const [at, value] of row.entries()) total += value * (fit[at] ?? 0);
  return total;
}

/** Gaussian elimination with partial pivoting; a tiny ridge keeps measures that never vary from dividing by zero. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const rows = matrix.map((line, at) => Float64Array.of(...line, right[at] ?? 0));
  for (let at = 0; at < size; at += 1)
    (rows[at] as Float64Array)[at] = ((rows[at] as Float64Array)[at] ?? 0) + 1e-9;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let at = column + 1; at < size; at += 1) {
      if (Math.abs(rows[at]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = at;
    }
    const lead = rows[pivot] as Float64Array<ArrayBuffer>;
    rows[pivot] = rows[column] as Float64Array<ArrayBuffer>;
    rows[column] = lead;
    for (let at = 0; at < size; at += 1) {
      if (at === column) continue;
      const line = rows[at] as Float64Array;
      const factor = (line[column] ?? 0) / (lead[column] ?? 1);
      for (let to = column; to <= size; to += 1) line[to] = (line[to] ?? 0) - factor * (lead[to] ?? 0);
    }
  }
  return Float64Array.from(rows, (line, at) => (line[size] ?? 0) / (line[at] ?? 1));
}
