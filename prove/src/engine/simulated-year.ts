import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { createCalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';
import { editionCalendar } from '../../../apps/server/src/record/editions/edition-calendar.ts';

/** The year 2026 in Shanghai, passing while a run lasts: the same hour on every process. */
export interface SimulatedYear {
  /** When, in real time, the year begins. */
  readonly beginsAtMs: number;
  readonly lastsMs: number;
}

const firstMs = Temporal.Instant.from('2026-01-01T00:00:00+08:00').epochMilliseconds;
const lastMs = Temporal.Instant.from('2027-01-01T00:00:00+08:00').epochMilliseconds;

/** Counted on a wall calendar: 365 days, 52 Mondays, 12 firsts of a month. */
export const editionsOfYear = { daily: 365, weekly: 52, monthly: 12 } as const;
export type EditionKind = keyof typeof editionsOfYear;

/** It runs on when the year is over; `editionsDue` does not. */
export function yearClock(year: SimulatedYear): CalendarClock {
  return createCalendarClock({
    shows: instantFromMs(firstMs),
    startedAt: instantFromMs(year.beginsAtMs),
    speed: Math.ceil((lastMs - firstMs) / year.lastsMs),
  });
}

const dueOf = {
  daily: editionCalendar.daily.dueBetween,
  weekly: editionCalendar.weekly.dueBetween,
  monthly: editionCalendar.monthly.dueBetween,
} as const;

export function editionsDue(kind: EditionKind, nowMs: number): readonly string[] {
  return dueOf[kind](instantFromMs(firstMs), instantFromMs(Math.min(Math.max(firstMs, nowMs), lastMs))).map(
    (label) => `${kind} ${label}`,
  );
}
