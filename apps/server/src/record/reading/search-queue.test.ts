import { expect, test } from 'vitest';

import { ProblemError } from '../../foundation/problem.ts';
import { SearchQueue } from './search-queue.ts';

/** A search that ends on request. */
function openSearch(queue: SearchQueue) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let started = false;
  const outcome = queue.run(() => {
    started = true;
    return promise;
  });
  outcome.catch(() => {});
  return { finish: () => resolve('found'), outcome, isStarted: () => started };
}

test('limits running and waiting searches and refuses further ones at once with Retry-After 5', async () => {
  const queue = new SearchQueue({ runningMax: 2, waitingMax: 1 });
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => openSearch(queue));
  expect([first, second, third, fourth].map((one) => one?.isStarted())).toEqual([true, true, false, false]);
  await expect(fourth?.outcome).rejects.toMatchObject({
    definition: { code: 'temporarily_unavailable' },
    retryAfterSeconds: 5,
  });
  first?.finish();
  await first?.outcome;
  expect(third?.isStarted()).toBe(true);
  second?.finish();
  third?.finish();
  expect(await Promise.all([second?.outcome, third?.outcome])).toEqual(['found', 'found']);
  const later = openSearch(queue);
  expect(later.isStarted()).toBe(true);
  later.finish();
});

test('a search that fails frees its slot for the next', async () => {
  const queue = new SearchQueue({ runningMax: 1, waitingMax: 1 });
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(async () => 'found')).toBe('found');
});

test('a search cancelled by its time-out is reported as unavailable, not as an internal error', async () => {
  const queue = new SearchQueue({ runningMax: 1, waitingMax: 1 });
  const cancelled = Object.assign(new Error('canceling statement'), { code: '57014' });
  await expect(queue.run(() => Promise.reject(cancelled))).rejects.toThrow(ProblemError);
});
