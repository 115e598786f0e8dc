export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('no values to take a quantile of');
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Percentile bootstrap of the median of paired ratios. Pairing cancels what both sides suffered in the same
 * round (a neighbour's load, a slower clock); the resampling is seeded so that one run prints one interval.
 */
export function ratioInterval(
  ours: readonly number[],
  bare: readonly number[],
): { readonly middle: number; readonly interval: readonly [number, number] } {
  if (ours.length !== bare.length || ours.length === 0) throw new RangeError('rounds must come in pairs');
  const ratios = ours.map((value, round) => value / (bare[round] as number));
  const random = seededRandom(ratios.length);
  const medians: number[] = [];
  for (let draw = 0; draw < 2000; draw += 1) {
    medians.push(median(ratios.map(() => ratios[Math.floor(random() * ratios.length)] as number)));
  }
  return { middle: median(ratios), interval: [quantile(medians, 0.025), quantile(medians, 0.975)] };
}

/** mulberry32: small, good enough to draw rounds and test inputs, the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
