import { expect, test, vi } from 'vitest';

import type { SpanQueueOptions } from './span-queue.ts';
import { SpanQueue } from './span-queue.ts';
import type { Span } from './span.ts';

interface Stage {
  readonly queue: SpanQueue;
  /** Batches in the order they were sent. */
  readonly batches: (readonly Span[])[];
  /** Answers the batch under way. */
  readonly answer: (error?: Error) => void;
  readonly states: unknown[];
}

function openQueue(options: Partial<SpanQueueOptions> = {}): Stage {
  const batches: (readonly Span[])[] = [];
  const states: unknown[] = [];
  let settle: ((error?: Error) => void) | null = null;
  const queue = new SpanQueue({
    waitingMax: 10,
    batchMax: 4,
    everyMs: 60_000,
    restMs: 60_000,
    onState: (state) => states.push(state),
    send: (spans) => {
      batches.push(spans);
      return new Promise((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
    },
    ...options,
  });
  return { queue, batches, states, answer: (error) => settle?.(error) };
}

let count = 0;
const add = ({ queue }: Stage, spans: number): void => {
  for (let index = 0; index < spans; index += 1) queue.add({ spanId: `${(count += 1)}` } as Span);
};

test('sends a full batch soon, and the next one only when the first is answered', async () => {
  const stage = openQueue();
  add(stage, 9);
  expect(stage.batches).toEqual([]);
  await vi.waitFor(() => expect(stage.batches.length).toBe(1));
  expect(stage.batches[0]?.length).toBe(4);
  add(stage, 1);
  stage.answer();
  await vi.waitFor(() => expect(stage.batches.length).toBe(2));
  expect(stage.queue.counts.exported).toBe(4);
});

test('sends fewer spans after a while', async () => {
  const stage = openQueue({ everyMs: 1 });
  add(stage, 1);
  await vi.waitFor(() => expect(stage.batches.length).toBe(1));
});

test('drops and counts spans beyond its bound while the receiver does not answer', async () => {
  const stage = openQueue();
  add(stage, 4);
  await vi.waitFor(() => expect(stage.batches.length).toBe(1));
  add(stage, 25);
  expect(stage.queue.counts).toEqual({ exported: 0, droppedFromQueue: 15, droppedByReceiver: 0 });
  expect(stage.batches.length).toBe(1);
});

test('rests after a failure, drops that batch, and reports the change of state once', async () => {
  const stage = openQueue({ restMs: 1 });
  const error = new Error('refused');
  for (const round of [1, 2]) {
    add(stage, 4);
    await vi.waitFor(() => expect(stage.batches.length).toBe(round));
    stage.answer(error);
    await vi.waitFor(() => expect(stage.queue.counts.droppedByReceiver).toBe(4 * round));
  }
  expect(stage.states).toEqual([error]);
  add(stage, 4);
  await vi.waitFor(() => expect(stage.batches.length).toBe(3));
  stage.answer();
  await vi.waitFor(() => expect(stage.states).toEqual([error, null]));
  const resting = openQueue();
  add(resting, 8);
  await vi.waitFor(() => expect(resting.batches.length).toBe(1));
  resting.answer(error);
  await vi.waitFor(() => expect(resting.states).toEqual([error]));
  expect(resting.batches.length).toBe(1);
});

test('sends what waits when it is stopped, and drops the rest after the given time', async () => {
  const stage = openQueue({ send: async () => {} });
  add(stage, 9);
  await stage.queue.stop(60_000);
  expect(stage.queue.counts).toEqual({ exported: 9, droppedFromQueue: 0, droppedByReceiver: 0 });
  add(stage, 1);
  expect(stage.queue.counts.droppedFromQueue).toBe(1);
  const silent = openQueue();
  add(silent, 9);
  await silent.queue.stop(1);
  expect(silent.queue.counts).toEqual({ exported: 0, droppedFromQueue: 5, droppedByReceiver: 0 });
});
