import { expect, test } from 'vitest';

import { Random } from '../random.ts';
import type { Unit } from './quantity.ts';
import { quantity, quantityOf, revised } from './quantity.ts';

const ranges: readonly (readonly [Unit, number, number])[] = [
  ['dollars', 5e5, 4e10],
  ['percent', 11, 96],
  ['score', 41, 95],
  ['parameters', 4e8, 2e12],
  ['people', 2, 9e7],
  ['count', 2, 6e5],
  ['minutes', 18, 1500],
  ['megawatts', 12, 2400],
  ['tokens', 64_000, 2_000_000],
];

test('states the same number in both languages', () => {
  for (const [unit, low, high] of ranges) {
    for (let nth = 0; nth < 2000; nth += 1) {
      const { value, text } = quantity(new Random(nth, 1), unit, low, high);
      const scale = unit === 'minutes' && !text[0].includes('minutes') ? 60 : 1;
      expect(parsed(text[0]) * scale).toBeCloseTo(value, 0);
      expect(parsed(text[1]) * scale).toBeCloseTo(value, 0);
      expect(Number.parseFloat(text[1])).toBeLessThan(10_000);
    }
  }
});

test('words a revised figure differently in both languages', () => {
  for (const [unit, low, high] of ranges) {
    for (let nth = 0; nth < 500; nth += 1) {
      const random = new Random(nth, 2);
      const first = quantity(random, unit, low, high);
      const other = revised(random, first);
      expect(other.value).not.toBe(first.value);
      expect(other.text[1]).not.toBe(first.text[1]);
    }
  }
});

const multiples: Readonly<Record<string, number>> = {
  trillion: 1e12,
  万亿: 1e12,
  billion: 1e9,
  亿: 1e8,
  million: 1e6,
  万: 1e4,
};

const small = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function parsed(text: string): number {
  const written = small.indexOf(text);
  if (written !== -1) return written;
  const [, digits = '', word = ''] = /([\d.,]+)\s?(trillion|万亿|billion|亿|million|万)?/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (multiples[word] ?? 1);
}

test('corrects a score by a few points, and a round amount to another round amount', () => {
  for (let nth = 0; nth < 300; nth += 1) {
    const random = new Random(nth, 3);
    const score = quantity(random, 'score', 41, 95);
    const other = revised(random, score);
    expect(Math.abs(other.value - score.value)).toBeLessThan(10);
    expect(other.value).toBeLessThan(98);
    expect(revised(random, quantityOf('dollars', 6e8)).value % 1e7).toBe(0);
  }
});
