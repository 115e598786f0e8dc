import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { createWorld } from '../index.ts';

/** Far below the real rate, which the README states, so that a busy machine does not fail here but a real slip does. */
const leastDispatchesPerCpuSecond = 8000;

test('streams a long world fast and in constant memory', { timeout: 120_000 }, () => {
  const world = createWorld({ seed: 2, startsAt: Date.UTC(2026, 0, 1), days: 80, itemsPerDay: 1000 });
  const before = process.cpuUsage();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heap: number[] = [];
  let count = 0;
  for (const dispatch of world.dispatches()) {
    count += dispatch.title.length > 0 ? 1 : 0;
    if (count % 20_000 !== 0) continue;
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
  }
  const used = process.cpuUsage(before);
  expect(count / ((used.user + used.system) / 1e6)).toBeGreaterThan(leastDispatchesPerCpuSecond);
  expect(Math.max(...heap.slice(2)) - heap[1]!).toBeLessThan(8_000_000);
});

test('lets a reader stop early and keeps two readers independent', () => {
  const world = createWorld({ seed: 4, startsAt: 0, days: 3, itemsPerDay: 100 });
  const keys = [...world.dispatches()].map(({ key }) => key);
  const one = world.dispatches()[Symbol.iterator]();
  const other = world.dispatches()[Symbol.iterator]();
  for (const key of keys.slice(0, 120)) {
    expect(one.next().value?.key).toBe(key);
    expect(other.next().value?.key).toBe(key);
  }
});
