import { ProblemError } from '../problem.ts';
import { temporarilyUnavailable } from './http-problems.ts';

export interface LoadShedderOptions {
  /** Concurrent requests before new ones are refused. */
  readonly inFlightMax: number;
  /** Concurrent streams; they last long and so are counted separately. */
  readonly streamsMax: number;
  /** How late the event loop may run, because of this process's own work, before new requests are refused. */
  readonly loopDelayMaxMs: number;
  readonly nowMs: () => number;
  /** Processor time used by this process so far. */
  readonly cpuMs: () => number;
}

export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface LoadShedder {
  /** Called first for every request; throws 503 instead of queueing the request. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** The same for a request whose body or response is streamed. */
  readonly enterStream: () => void;
  readonly leaveStream: () => void;
  readonly streams: () => number;
  readonly inFlight: () => number;
  readonly loopDelayMs: () => number;
  readonly stop: () => void;
}

const sampleEveryMs = 50;
const retryAfterSeconds = 2;
/** Below this share of processor time the loop was late because of other programs. */
const ownShareMin = 0.5;
/** This many requests in one late turn of the loop wait for each other, whatever made it late. */
const waitingMax = 50;

/**
 * A refusal costs microseconds, so a server that sheds can still serve admitted requests. A loop that is late because
 * other programs use the machine is no reason to refuse a visitor: only requests that wait for each other are refused.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  let inFlight = 0;
  let streams = 0;
  let delayMs = 0;
  /** The part that the process's own work caused. */
  let ownDelayMs = 0;
  let expectedAt = options.nowMs() + sampleEveryMs;
  let [cpuAtSample, enteredSinceSample] = [options.cpuMs(), 0];
  const isOwnWork = (now: number): boolean =>
    options.cpuMs() - cpuAtSample >= ownShareMin * (now - expectedAt + sampleEveryMs);
  const timer = setInterval(() => {
    const now = options.nowMs();
    const late = Math.max(0, now - expectedAt);
    // Rises at once, falls by halves: one late tick is enough to shed, several good ones to stop.
    delayMs = Math.max(late, delayMs / 2);
    ownDelayMs = Math.max(isOwnWork(now) ? late : 0, ownDelayMs / 2);
    expectedAt = now + sampleEveryMs;
    [cpuAtSample, enteredSinceSample] = [options.cpuMs(), 0];
  }, sampleEveryMs);
  timer.unref();
  const isTooLate = (): boolean => {
    if (ownDelayMs > options.loopDelayMaxMs) return true;
    // When one turn of the loop brings many requests, the later ones must not wait for the next sample.
    const now = options.nowMs();
    if (Math.max(delayMs, now - expectedAt) <= options.loopDelayMaxMs) return false;
    return enteredSinceSample > waitingMax || (now - expectedAt > options.loopDelayMaxMs && isOwnWork(now));
  };
  const refuseWhenBusy = (full: boolean): void => {
    enteredSinceSample += 1;
    if (full || isTooLate())
      throw new ProblemError(temporarilyUnavailable, 'The server is busy.', {
        retryAfterSeconds,
      });
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
