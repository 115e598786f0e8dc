import { expect, test } from 'vitest';

import { Random } from './random.ts';

const draws = (random: Random): number[] => Array.from({ length: 8 }, () => random.bits());

test('gives a different stream for each of the numbers that name it', () => {
  const names = [[1], [2], [1, 1], [1, 0, 1], [1, 0, 0, 1], [1, 0, 0, 0, 1], [-1], [4_000_000_000]] as const;
  const streams = names.map(([seed, ...path]) => draws(new Random(seed, ...path)).join());
  expect(new Set(streams).size).toBe(names.length);
  expect(draws(new Random(7, 1, 2, 3, 4))).toEqual(draws(new Random(7, 1, 2, 3, 4)));
});

test('draws each of ten values within a tenth of its share over neighbouring streams', () => {
  const counts = Array<number>(10).fill(0);
  for (let nth = 0; nth < 100_000; nth += 1) {
    const value = new Random(5, 3, nth % 40, nth).below(10);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  expect(counts.filter((count) => Math.abs(count - 10_000) > 1000)).toEqual([]);
});

test('shuffles without losing a value, and picks nothing from an empty list', () => {
  const random = new Random(3);
  expect(random.shuffled(['a', 'b', 'c', 'd']).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(() => random.pick([])).toThrow(RangeError);
});
