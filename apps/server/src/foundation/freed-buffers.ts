import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface BufferCollector {
  /** Starts now; call the returned function once to end it. */
  readonly begin: () => () => void;
}

/** V8's memory statistics and garbage collection. */
export interface Heap {
  /** Of buffers, which are outside the heap. */
  readonly externalBytes: () => number;
  /** Collects young objects only, in 1 to 3 ms. */
  readonly collectYoung: () => void;
}

const collectedBytes = 8 * 1024 ** 2;
const everyMs = 10;

/**
 * Frees the buffers of streams, 64 KiB for each read of a socket. V8 by itself marks the whole heap for every 50 MB of
 * them. They are young when they have been forwarded, so a collection of young objects frees them, at about a quarter
 * of the processor time of a download: docs/decisions/0022-streams.md has the figures.
 */
export function createBufferCollector(heap: Heap): BufferCollector {
  let flows = 0;
  let least = 0;
  let timer: NodeJS.Timeout | null = null;
  const check = (): void => {
    const bytes = heap.externalBytes();
    if (bytes < least) least = bytes;
    if (bytes - least < collectedBytes) return;
    heap.collectYoung();
    least = heap.externalBytes();
  };
  const end = (): void => {
    flows -= 1;
    if (flows > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    begin: () => {
      flows += 1;
      if (timer === null) {
        least = heap.externalBytes();
        timer = setInterval(check, everyMs).unref();
      }
      return end;
    },
  };
}

let ofThisProcess: BufferCollector | null = null;

/** A process has one heap. Call it when a large transfer starts, and the returned function when it ends. */
export function freeBuffersWhileFlowing(): () => void {
  ofThisProcess ??= createBufferCollector(heapOfThisProcess());
  return ofThisProcess.begin();
}

function heapOfThisProcess(): Heap {
  // The only access to V8's own function in a process started without the flag.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return {
    externalBytes: () => getHeapStatistics().external_memory,
    collectYoung: () => collect({ type: 'minor' }),
  };
}
