/** A bounded number of places, served in order. */
export interface QueuePlace {
  /** Waits for its turn, works, and passes the turn on. May be used more than once. */
  readonly run: <Output>(work: () => Promise<Output>) => Promise<Output>;
  readonly leave: () => void;
}

export interface BoundedQueue {
  /** Null when all places are taken: refuse the caller now instead of letting it wait. */
  readonly take: () => QueuePlace | null;
  readonly taken: () => number;
}

export function createBoundedQueue(options: {
  readonly runningMax: number;
  readonly placesMax: number;
}): BoundedQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let taken = 0;
  const turn = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    return promise;
  };
  // The turn passes directly to the next: a new caller cannot overtake.
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  const place = (): QueuePlace => {
    let left = false;
    return {
      run: async (work) => {
        // A caller that need not wait starts at once, not a tick later.
        if (running < options.runningMax) running += 1;
        else await turn();
        try {
          return await work();
        } finally {
          end();
        }
      },
      leave: () => {
        if (!left) taken -= 1;
        left = true;
      },
    };
  };
  return {
    take: () => {
      if (taken >= options.placesMax) return null;
      taken += 1;
      return place();
    },
    taken: () => taken,
  };
}
