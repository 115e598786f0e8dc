import { whileWatched } from './connection-reports.ts';

/** How long one attempt may take. */
export interface Timeouts {
  /** Until the connection is made, where the runtime says when that is: in Node. */
  readonly connectMs: number;
  /** Until the response begins; and as long again until all of it was read. */
  readonly responseMs: number;
}

export class TimeoutReached extends Error {}

/** Ends one attempt at its timeouts or by the caller's signal, also where `fetch` ignores signals. */
export class AttemptLimit {
  readonly #timeouts: Timeouts;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #follow = (): void => this.#controller.abort(this.#caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connecting: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  constructor(timeouts: Timeouts, caller: AbortSignal | undefined) {
    this.#timeouts = timeouts;
    this.#caller = caller;
    if (caller?.aborted === true) this.#follow();
    else caller?.addEventListener('abort', this.#follow, { once: true });
    this.restart('the request was not sent');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The response, once it begins. `sendMs`: what sending the request may take in addition. */
  async response(request: () => Promise<Response>, sendMs = 0): Promise<Response> {
    const { connectMs } = this.#timeouts;
    this.restart('the response did not begin', sendMs);
    const connected = (): void => clearTimeout(this.#connecting);
    const requested = (): void => {
      connected();
      this.#connecting = this.#abortAfter(connectMs, 'no connection was made');
    };
    try {
      return await this.within(whileWatched({ requested, connected }, request));
    } finally {
      connected();
      this.restart('the response did not end');
    }
  }

  /** The time of an attempt begins anew. */
  restart(what: string, moreMs = 0): void {
    this.pause();
    if (!this.#isEnded) this.#timer = this.#abortAfter(this.#timeouts.responseMs + moreMs, what);
  }

  /** No time passes while the caller has to act. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  within<T>(work: Promise<T>): Promise<T> {
    return endedBy(this.signal, work);
  }

  end(): void {
    this.#isEnded = true;
    this.pause();
    this.#caller?.removeEventListener('abort', this.#follow);
  }

  #abortAfter(milliseconds: number, what: string): ReturnType<typeof setTimeout> {
    const reason = new TimeoutReached(`${what} within ${milliseconds} ms`);
    return setTimeout(() => this.#controller.abort(reason), milliseconds);
  }
}

/** The work, or the reason of the signal where it is aborted first. */
export async function endedBy<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
