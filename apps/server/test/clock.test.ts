import { expect, test } from 'vitest';

import { createTestClock } from './clock.ts';

test('a test clock stops until it is moved, and moves to the microsecond', () => {
  const clock = createTestClock('2026-11-15T00:00:00.000Z');
  expect(clock.now()).toBe(clock.now());
  clock.advance({ days: 400, microseconds: 1 });
  expect(clock.now()).toBe(BigInt(Date.UTC(2027, 11, 20)) * 1000n + 1n);
  expect(clock.nowMs()).toBe(Date.UTC(2027, 11, 20));
  clock.set('2020-01-01T00:00:00.000Z');
  expect(clock.nowMs()).toBe(Date.UTC(2020, 0, 1));
});
