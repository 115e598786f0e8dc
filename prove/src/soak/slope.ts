import { quantile, seededRandom } from '@daybook/evidence';

export interface Slope {
  /** Of the values, for each unit of the positions. */
  readonly perUnit: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
}

const draws = 1_000;

/**
 * Least-squares slope. The interval is a moving-block bootstrap of the residuals: neighbouring samples resemble each
 * other, so blocks of neighbours are drawn, as long as the square root of the number of samples.
 */
export function slopeOf(positions: readonly number[], values: readonly number[]): Slope {
  if (positions.length !== values.length || positions.length < 4)
    throw new RangeError('a slope needs at least four samples');
  const fit = fitLine(positions, values);
  const count = values.length;
  const residuals = values.map((value, at) => value - fit.at(positions[at] ?? 0));
  const block = Math.max(1, Math.floor(Math.sqrt(count)));
  const random = seededRandom(count);
  const slopes = Array.from({ length: draws }, () => {
    const drawn: number[] = [];
    while (drawn.length < count) {
      const from = Math.floor(random() * (count - block + 1));
      drawn.push(...residuals.slice(from, from + block));
    }
    return fitLine(
      positions,
      positions.map((position, at) => fit.at(position) + (drawn[at] ?? 0)),
    ).slope;
  });
  return { perUnit: fit.slope, interval: [quantile(slopes, 0.025), quantile(slopes, 0.975)] };
}

function fitLine(
  positions: readonly number[],
  values: readonly number[],
): { readonly slope: number; readonly at: (position: number) => number } {
  const [middle, level] = [average(positions), average(values)];
  let [joint, spread] = [0, 0];
  for (const [at, position] of positions.entries()) {
    joint += (position - middle) * ((values[at] ?? 0) - level);
    spread += (position - middle) ** 2;
  }
  const slope = spread === 0 ? 0 : joint / spread;
  return { slope, at: (position) => level + slope * (position - middle) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
