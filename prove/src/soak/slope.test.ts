import { seededRandom } from '@daybook/evidence';
import { expect, test } from 'vitest';

import { slopeOf } from './slope.ts';

/** Each value resembles the one before it, as samples of a process do. */
function autocorrelated(count: number, random: () => number): number[] {
  const values: number[] = [];
  for (let at = 0; at < count; at += 1) values.push(0.7 * (values[at - 1] ?? 0) + random() - 0.5);
  return values;
}

const positions = Array.from({ length: 200 }, (_, at) => at / 10);

test('finds the slope of a line without noise', () => {
  const { perUnit, interval } = slopeOf(
    positions,
    positions.map((position) => 3 + 2 * position),
  );
  expect(perUnit).toBeCloseTo(2);
  expect(interval[0]).toBeCloseTo(2);
  expect(interval[1]).toBeCloseTo(2);
});

test('the interval contains the true slope of autocorrelated samples in about 95 of 100 cases', () => {
  const random = seededRandom(7);
  let covered = 0;
  for (let run = 0; run < 100; run += 1) {
    const noise = autocorrelated(positions.length, random);
    const values = positions.map((position, at) => 0.05 * position + (noise[at] ?? 0));
    const [low, high] = slopeOf(positions, values).interval;
    if (low <= 0.05 && 0.05 <= high) covered += 1;
  }
  expect(covered).toBeGreaterThanOrEqual(85);
});

test('the interval of growing autocorrelated samples excludes 0', () => {
  const noise = autocorrelated(positions.length, seededRandom(3));
  const values = positions.map((position, at) => position + (noise[at] ?? 0));
  expect(slopeOf(positions, values).interval[0]).toBeGreaterThan(0);
});

test('refuses fewer than four samples', () => {
  expect(() => slopeOf([1, 2, 3], [1, 2, 3])).toThrow(RangeError);
});
