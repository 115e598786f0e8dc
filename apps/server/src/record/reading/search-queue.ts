import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import type { BoundedQueue } from '../../foundation/limits/bounded-queue.ts';
import { createBoundedQueue } from '../../foundation/limits/bounded-queue.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface SearchQueueOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
}

const retryAfterSeconds = 5;

/** Searches are the only requests whose cost a caller chooses: a few run, some wait, the rest are refused at once. */
export class SearchQueue {
  readonly #places: BoundedQueue;

  constructor({ runningMax, waitingMax }: SearchQueueOptions) {
    this.#places = createBoundedQueue({ runningMax, placesMax: runningMax + waitingMax });
  }

  async run<Result>(search: () => Promise<Result>): Promise<Result> {
    const place = this.#places.take();
    if (place === null) {
      throw new ProblemError(temporarilyUnavailable, 'Too many searches are queued.', {
        retryAfterSeconds,
      });
    }
    try {
      return await place.run(search);
    } catch (error) {
      if (!wasCancelled(error)) throw error;
      throw new ProblemError(temporarilyUnavailable, 'The search timed out.', {
        retryAfterSeconds,
        cause: error,
      });
    } finally {
      place.leave();
    }
  }
}

/** query_canceled: the statement time-out. */
function wasCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
