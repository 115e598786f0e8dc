import { expect, test } from 'vitest';

import { systemClock } from './clock.ts';
import { instantToMs } from './instant.ts';

test('the two readings of the system clock are the same time', () => {
  const before = systemClock.nowMs();
  const between = instantToMs(systemClock.now());
  const after = systemClock.nowMs();
  expect(between).toBeGreaterThanOrEqual(before - 1);
  expect(between).toBeLessThanOrEqual(after + 1);
  expect(Math.abs(before - Date.now())).toBeLessThan(1000);
});

test('the system clock tells microseconds apart within a millisecond', () => {
  const digits = new Set(Array.from({ length: 1000 }, () => systemClock.now() % 1000n));
  expect(digits.size).toBeGreaterThan(1);
});
