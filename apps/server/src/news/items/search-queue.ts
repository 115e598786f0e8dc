import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface SearchQueueOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
}

const retryAfterSeconds = 5;

/** Searches are the one thing here whose cost a caller chooses: a few run, some wait, the rest are turned away at once. */
export class SearchQueue {
  readonly #options: SearchQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: SearchQueueOptions) {
    this.#options = options;
  }

  async run<Result>(search: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#options.runningMax) await this.#turn();
    else this.#running += 1;
    try {
      return await search();
    } catch (error) {
      if (!wasCancelled(error)) throw error;
      throw new ProblemError(temporarilyUnavailable, 'the search took too long', {
        retryAfterSeconds,
        cause: error,
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Whoever leaves hands its place over, so the count does not change. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#options.waitingMax)
      throw new ProblemError(temporarilyUnavailable, 'too many searches are waiting', { retryAfterSeconds });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }
}

/** query_canceled: the statement time-out. */
function wasCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
