import type { EpochMicroseconds } from './instant.ts';
import { epochMicroseconds, instantToMs } from './instant.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface Clock {
  /** For what is stored or compared with stored keys. */
  readonly now: () => EpochMicroseconds;
  /** For limits and lifetimes on hot paths, where a bigint would cost more than the rest. */
  readonly nowMs: () => number;
}

/** Of everything that follows the calendar: what is due, what is retried, what is old. Time-outs follow real time. */
export interface CalendarClock extends Clock {
  /** Calendar seconds that pass in one real second: 1, but for a clock set up for development. */
  readonly speed: number;
}

/** For development: at the real instant `startedAt` the calendar showed `shows`, and it has run at `speed` since. */
export interface SimulatedTime {
  readonly shows: EpochMicroseconds;
  readonly startedAt: EpochMicroseconds;
  readonly speed: number;
}

export function createCalendarClock(simulated: SimulatedTime | null): CalendarClock {
  if (simulated === null) return systemClock;
  const { shows, startedAt, speed } = simulated;
  const now = (): EpochMicroseconds =>
    epochMicroseconds(shows + (systemClock.now() - startedAt) * BigInt(speed));
  return { now, nowMs: () => instantToMs(now()), speed };
}

export const systemClock: CalendarClock = {
  // oxlint-disable-next-line no-restricted-properties -- the one place where system time enters
  now: () => epochMicroseconds(Temporal.Now.instant().epochNanoseconds / 1000n),
  // oxlint-disable-next-line no-restricted-globals -- as above
  nowMs: () => Date.now(),
  speed: 1,
};
