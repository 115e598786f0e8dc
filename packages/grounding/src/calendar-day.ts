/* oxlint-disable no-restricted-globals -- computes with days that were given; no clock is read */

/** A day of the Gregorian calendar; `Temporal.PlainDate` is one. */
export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

const dayMs = 86_400_000;

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(msOf(day)).getUTCDay() || 7;
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  const date = new Date(msOf(day) + days * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function msOf({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day);
}
