import { dayMs, hourMs, minuteMs } from '../../foundation/clock.ts';
import type { StatedPace } from '../parse/feed.ts';

/** Bounds of the time between polls and requests. */
export interface Pace {
  readonly intervalMinMs: number;
  readonly intervalMaxMs: number;
  /** Between a response and the next request to one registrable domain, unless a source has its own spacing. */
  readonly spacingMs: number;
}

export const defaultPace: Pace = {
  intervalMinMs: 10 * minuteMs,
  intervalMaxMs: 6 * hourMs,
  spacingMs: 2_000,
};

/** The least time between two polls of a source that pushes cause. */
export function pushedPollSpacingMs({ intervalMinMs }: Pace): number {
  return intervalMinMs / 10;
}

/** While pushes announce every entry, the interval between polls is this many times longer. */
const announcedFactor = 4;

/** The interval of a source whose hub will send pushes for `pushesForMs`. */
export function announcedIntervalMs(
  intervalMs: number,
  pushesForMs: number,
  { intervalMaxMs }: Pace,
): number {
  return Math.max(intervalMs, Math.min(announcedFactor * intervalMs, intervalMaxMs, pushesForMs));
}

/** Longer stated intervals are treated as mistakes: the source is polled once a day. */
const statedMaxMs = dayMs;
const jitterShare = 0.1;

/** The shortest interval that the publisher allows: the longest that its headers and its feed state. */
export function statedIntervalMs(freshForMs: number | null, pace: StatedPace | null): number {
  const stated = [freshForMs, (pace?.ttlSeconds ?? 0) * 1_000, (pace?.updatePeriodSeconds ?? 0) * 1_000];
  return Math.min(statedMaxMs, Math.max(...stated.map((ms) => ms ?? 0)));
}

/**
 * Half the usual gap between entries. Without dates: the last interval, shorter after new entries and longer without
 * them. Never below the stated interval.
 */
export function nextIntervalMs(
  input: {
    readonly usualGapMs: number | null;
    readonly lastIntervalMs: number | null;
    readonly hasNews: boolean;
    readonly statedMs: number;
  },
  { intervalMinMs, intervalMaxMs }: Pace,
): number {
  const last = input.lastIntervalMs ?? intervalMinMs;
  const wanted = input.usualGapMs === null ? last * (input.hasNews ? 0.5 : 1.5) : input.usualGapMs / 2;
  const within = Math.min(intervalMaxMs, Math.max(intervalMinMs, wanted));
  return Math.round(Math.max(within, input.statedMs));
}

/** The wait after the n-th failure in a row: doubles, up to a day, and at least Retry-After. */
export function backoffMs(intervalMs: number, failures: number, retryAfterMs: number | null): number {
  const doubled = intervalMs * 2 ** Math.min(failures, 10);
  return Math.max(Math.min(dayMs, doubled), retryAfterMs ?? 0);
}

/** Adds up to a tenth, so that sources that were added together are not polled together. */
export function withJitter(intervalMs: number, random: () => number): number {
  return Math.round(intervalMs * (1 + jitterShare * random()));
}

const gapEntriesMax = 20;

/**
 * The average time between entries by their dates, up to now, so that it grows while no entry comes. Null: fewer than
 * three entries have a date.
 */
export function usualGapMs(publishedMs: readonly (number | null)[], nowMs: number): number | null {
  const recent = publishedMs
    .filter((ms) => ms !== null && ms <= nowMs)
    .toSorted((one, other) => (other ?? 0) - (one ?? 0))
    .slice(0, gapEntriesMax);
  const oldest = recent.at(-1);
  if (recent.length < 3 || typeof oldest !== 'number') return null;
  return Math.round((nowMs - oldest) / recent.length);
}
