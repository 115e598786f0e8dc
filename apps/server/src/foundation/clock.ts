import type { EpochMicroseconds } from './instant.ts';
import { epochMicroseconds, instantToMs } from './instant.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface Clock {
  /** For stored times and comparisons with stored keys. */
  readonly now: () => EpochMicroseconds;
  /** For limits and lifetimes on hot paths, where a bigint would cost more than the rest. */
  readonly nowMs: () => number;
}

/** The calendar clock: due times, retries, ages. Time-outs use real time. */
export interface CalendarClock extends Clock {
  /** Calendar seconds per real second: 1, except for a simulated clock in development. */
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
