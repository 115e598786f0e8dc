import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createBoundedQueue } from './bounded-queue.ts';

test('runs no more at once than allowed, in order of arrival', async () => {
  const queue = createBoundedQueue({ runningMax: 2, placesMax: 10 });
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const work = gates.map((gate, index) =>
    queue.take()!.run(async () => {
      begun.push(index);
      await gate.promise;
    }),
  );
  await turn();
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve();
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(work);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('refuses at once when no place is free, and reuses a released place', () => {
  const queue = createBoundedQueue({ runningMax: 1, placesMax: 2 });
  const [first] = [queue.take(), queue.take()];
  expect(queue.take()).toBeNull();
  first?.leave();
  first?.leave();
  expect(queue.taken()).toBe(1);
  expect(queue.take()).not.toBeNull();
  expect(queue.take()).toBeNull();
});

test('passes the turn on when work fails', async () => {
  const queue = createBoundedQueue({ runningMax: 1, placesMax: 2 });
  const failed = queue.take()?.run(async () => {
    throw new Error('no');
  });
  const next = queue.take()?.run(async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
