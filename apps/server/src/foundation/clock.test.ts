import { expect, test } from 'vitest';

import { createCalendarClock, systemClock } from './clock.ts';
import { addMs, instantFromMs, instantToMs } from './instant.ts';

test('the two readings of the system clock are the same time', () => {
  const before = systemClock.nowMs();
  const between = instantToMs(systemClock.now());
  const after = systemClock.nowMs();
  expect(between).toBeGreaterThanOrEqual(before - 1);
  expect(between).toBeLessThanOrEqual(after + 1);
  expect(Math.abs(before - Date.now())).toBeLessThan(1000);
});

test('the system clock distinguishes microseconds within a millisecond', () => {
  const digits = new Set(Array.from({ length: 1000 }, () => systemClock.now() % 1000n));
  expect(digits.size).toBeGreaterThan(1);
});

test('a simulated calendar shows the same time in every process and runs at its speed', () => {
  const shows = instantFromMs(Date.UTC(2026, 0, 1));
  const startedAt = addMs(systemClock.now(), -60_000);
  const clock = createCalendarClock({ shows, startedAt, speed: 1_440 });
  const passedMs = clock.nowMs() - Date.UTC(2026, 0, 1);
  expect(passedMs).toBeGreaterThanOrEqual(86_400_000);
  expect(passedMs).toBeLessThan(86_400_000 + 1_440 * 5_000);
  expect(createCalendarClock(null)).toBe(systemClock);
});
