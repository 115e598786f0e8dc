import type { StatedPace } from '../parse/feed.ts';

/** Bounds on how often a source is asked. */
export interface Pace {
  readonly intervalMinMs: number;
  readonly intervalMaxMs: number;
  /** Between the beginnings of two requests to one registrable domain, unless a source says otherwise. */
  readonly spacingMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const defaultPace: Pace = {
  intervalMinMs: 10 * minuteMs,
  intervalMaxMs: 6 * hourMs,
  spacingMs: 2_000,
};

/** The least time between two polls of a source that pushes bring about. */
export function pushedPollSpacingMs({ intervalMinMs }: Pace): number {
  return intervalMinMs / 10;
}

/** While pushes tell of every entry, polls are a safeguard and this much rarer. */
const announcedFactor = 4;

/** The interval of a source whose hub is to send pushes for so long yet. */
export function announcedIntervalMs(
  intervalMs: number,
  pushesForMs: number,
  { intervalMaxMs }: Pace,
): number {
  return Math.max(intervalMs, Math.min(announcedFactor * intervalMs, intervalMaxMs, pushesForMs));
}

/** A publisher that states more than a day has made a slip; a daily look shows whether it still means it. */
const statedMaxMs = dayMs;
const jitterShare = 0.1;

/** How often the publisher lets itself be asked: the longest of what its answer and its feed say. */
export function statedIntervalMs(freshForMs: number | null, pace: StatedPace | null): number {
  const stated = [freshForMs, (pace?.ttlSeconds ?? 0) * 1_000, (pace?.updatePeriodSeconds ?? 0) * 1_000];
  return Math.min(statedMaxMs, Math.max(...stated.map((ms) => ms ?? 0)));
}

/**
 * Half the usual gap between entries; without dates the last interval, shorter after news and longer after none.
 * Never below what the publisher states.
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

/** After the n-th failure in a row: doubling, a day at most, and no sooner than the publisher says. */
export function backoffMs(intervalMs: number, failures: number, retryAfterMs: number | null): number {
  const doubled = intervalMs * 2 ** Math.min(failures, 10);
  return Math.max(Math.min(dayMs, doubled), retryAfterMs ?? 0);
}

/** Later by up to a tenth, so that sources that began together do not stay together; never sooner. */
export function withJitter(intervalMs: number, random: () => number): number {
  return Math.round(intervalMs * (1 + jitterShare * random()));
}

const gapEntriesMax = 20;

/**
 * The time between entries by their dates, the silence since the last one included, so that it grows while nothing
 * comes. Null where fewer than three have a date.
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
