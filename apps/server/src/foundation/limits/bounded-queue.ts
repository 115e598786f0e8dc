/** A bounded number of places; whoever holds one gets its turn in order. */
export interface QueuePlace {
  /** Waits for its turn, works, and lets the next one work. May be used more than once. */
  readonly run: <Output>(work: () => Promise<Output>) => Promise<Output>;
  readonly leave: () => void;
}

export interface BoundedQueue {
  /** Null when all places are taken: the caller must be turned away now, not made to wait. */
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
  // The turn is handed over, not given back: a newcomer cannot slip in between.
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  const place = (): QueuePlace => {
    let left = false;
    return {
      run: async (work) => {
        // Whoever need not wait begins at once, not a tick later.
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
