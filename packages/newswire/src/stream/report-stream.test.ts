import { expect, test } from 'vitest';

import { createWorld } from '../index.ts';

/** Far below the real rate, which the README states, so that a busy machine does not fail here but a real slip does. */
const leastReportsPerCpuSecond = 8000;

test('a long world streams fast and does not grow', { timeout: 120_000 }, () => {
  const world = createWorld({ seed: 2, startsAt: Date.UTC(2026, 0, 1), days: 120, itemsPerDay: 1000 });
  const before = process.cpuUsage();
  const heap: number[] = [];
  let count = 0;
  for (const report of world.reports()) {
    count += report.title.length > 0 ? 1 : 0;
    if (count % 5000 === 0) heap.push(process.memoryUsage().heapUsed);
  }
  const used = process.cpuUsage(before);
  expect(count / ((used.user + used.system) / 1e6)).toBeGreaterThan(leastReportsPerCpuSecond);
  const [early, late] = [heap.slice(2, 10), heap.slice(-8)].map((part) => Math.min(...part));
  expect(late! - early!).toBeLessThan(40_000_000);
});

test('a reader may stop early, and two readers do not disturb each other', () => {
  const world = createWorld({ seed: 4, startsAt: 0, days: 3, itemsPerDay: 100 });
  const keys = [...world.reports()].map(({ key }) => key);
  const one = world.reports()[Symbol.iterator]();
  const other = world.reports()[Symbol.iterator]();
  for (const key of keys.slice(0, 120)) {
    expect(one.next().value?.key).toBe(key);
    expect(other.next().value?.key).toBe(key);
  }
});
