import { ProblemError } from '../problem.ts';
import { temporarilyUnavailable } from './http-problems.ts';

export interface LoadShedderOptions {
  /** Requests under way at once before new ones are turned away. */
  readonly inFlightMax: number;
  /** Streams open at once; they last long and so are counted apart. */
  readonly streamsMax: number;
  /** How late the event loop may run before new requests are turned away. */
  readonly loopDelayMaxMs: number;
  readonly nowMs: () => number;
}

export interface LoadShedder {
  /** Called first for every request; throws 503 rather than joining a queue that would drown everyone. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** The same for a request whose body or answer flows. */
  readonly enterStream: () => void;
  readonly leaveStream: () => void;
  readonly streams: () => number;
  readonly inFlight: () => number;
  readonly loopDelayMs: () => number;
  readonly stop: () => void;
}

const sampleEveryMs = 50;
const retryAfterSeconds = 2;

/** Turning away costs microseconds, so a server that sheds stays able to serve what it admitted. */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  let inFlight = 0;
  let streams = 0;
  let delayMs = 0;
  let expectedAt = options.nowMs() + sampleEveryMs;
  const timer = setInterval(() => {
    const now = options.nowMs();
    const late = Math.max(0, now - expectedAt);
    // Rises at once, falls by halves: one late tick is enough to shed, several good ones to stop.
    delayMs = Math.max(late, delayMs / 2);
    expectedAt = now + sampleEveryMs;
  }, sampleEveryMs);
  timer.unref();
  const refuseWhenBusy = (full: boolean): void => {
    // Of many requests that one turn of the loop brings, the later ones must not wait for the next sample.
    const lateMs = Math.max(delayMs, options.nowMs() - expectedAt);
    if (full || lateMs > options.loopDelayMaxMs)
      throw new ProblemError(temporarilyUnavailable, 'the server is busy', { retryAfterSeconds });
  };
  return {
    enter: () => {
      refuseWhenBusy(inFlight >= options.inFlightMax);
      inFlight += 1;
    },
    leave: () => {
      inFlight -= 1;
    },
    enterStream: () => {
      refuseWhenBusy(streams >= options.streamsMax);
      streams += 1;
    },
    leaveStream: () => {
      streams -= 1;
    },
    streams: () => streams,
    inFlight: () => inFlight,
    loopDelayMs: () => delayMs,
    stop: () => clearInterval(timer),
  };
}
