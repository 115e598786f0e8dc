import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createBufferCollector } from './freed-buffers.ts';

const mebibyte = 1024 ** 2;

/** A heap of which we say how much lies beside it. */
function heapWith(keptBytes: number) {
  const heap = { bytes: keptBytes, kept: keptBytes, collections: 0 };
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

describe('the buffers that bytes flow through', () => {
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

  it('are freed every 8 MiB, however much else is kept beside the heap', () => {
    for (const kept of [0, 300 * mebibyte]) {
      const { heap, collector } = heapWith(kept);
      const end = collector.begin();
      flow(heap, 64);
      end();
      expect(heap.collections).toBe(8);
    }
  });

  it('are left to V8 where little flows, before it begins and after the last has ended', () => {
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

  it('are not collected again and again for what stays', () => {
    const { heap, collector } = heapWith(0);
    const end = collector.begin();
    heap.kept = 100 * mebibyte;
    heap.bytes = heap.kept;
    vi.advanceTimersByTime(1_000);
    end();
    expect(heap.collections).toBe(1);
  });
});
