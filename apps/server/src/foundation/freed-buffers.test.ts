import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createBufferCollector } from './freed-buffers.ts';

const mebibyte = 1024 ** 2;

/** A heap with a configurable amount of external memory. */
function heapWith(retainedBytes: number) {
  const heap = { bytes: retainedBytes, kept: retainedBytes, collections: 0 };
  return {
    heap,
    collector: createBufferCollector({
      externalBytes: () => heap.bytes,
      collectYoung: () => {
        heap.collections += 1;
        heap.bytes = heap.kept;
      },
    }),
  };
}

describe('the buffers of streams', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function flow(heap: { bytes: number }, mebibytes: number): void {
    for (let sent = 0; sent < mebibytes; sent += 1) {
      heap.bytes += mebibyte;
      vi.advanceTimersByTime(10);
    }
  }

  it('are freed every 8 MiB, however much other external memory is in use', () => {
    for (const kept of [0, 300 * mebibyte]) {
      const { heap, collector } = heapWith(kept);
      const end = collector.begin();
      flow(heap, 64);
      end();
      expect(heap.collections).toBe(8);
    }
  });

  it('are left to V8 while few bytes flow, before the first stream and after the last', () => {
    const { heap, collector } = heapWith(0);
    flow(heap, 64);
    const [one, other] = [collector.begin(), collector.begin()];
    flow(heap, 7);
    one();
    flow(heap, 1);
    expect(heap.collections).toBe(1);
    other();
    flow(heap, 64);
    expect(heap.collections).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are not collected again and again when the memory stays in use', () => {
    const { heap, collector } = heapWith(0);
    const end = collector.begin();
    heap.kept = 100 * mebibyte;
    heap.bytes = heap.kept;
    vi.advanceTimersByTime(1_000);
    end();
    expect(heap.collections).toBe(1);
  });
});
