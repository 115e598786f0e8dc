import type { EpochMicroseconds } from '../instant.ts';
import type { CalendarDate } from './calendar-date.ts';
import { addDays } from './calendar-date.ts';
import type { CalendarMonth } from './calendar-month.ts';
import { addMonths, calendarMonthOf, firstDayOfMonth, lastDayOfMonth } from './calendar-month.ts';
import type { IsoWeek } from './iso-week.ts';
import { addWeeks, firstDayOfWeek, isoWeekOf, lastDayOfWeek } from './iso-week.ts';
import type { LocalTime } from './shanghai-time.ts';
import { shanghaiDateOf, shanghaiInstant } from './shanghai-time.ts';

// The publication schedule, Asia/Shanghai.
const dailyAt: LocalTime = { hour: 8, minute: 0 };
const weeklyAt: LocalTime = { hour: 10, minute: 0 };
const monthlyAt: LocalTime = { hour: 10, minute: 30 };

/** Half-open: `start` is inside, `end` is not. */
export interface EditionWindow {
  readonly start: EpochMicroseconds;
  readonly end: EpochMicroseconds;
}

/** The edition of a day appears when its window closes. */
export function dailyEditionDue(day: CalendarDate): EpochMicroseconds {
  return shanghaiInstant(day, dailyAt);
}

export function weeklyEditionDue(week: IsoWeek): EpochMicroseconds {
  return shanghaiInstant(firstDayOfWeek(addWeeks(week, 1)), weeklyAt);
}

export function monthlyEditionDue(month: CalendarMonth): EpochMicroseconds {
  return shanghaiInstant(firstDayOfMonth(addMonths(month, 1)), monthlyAt);
}

export function dailyEditionWindow(day: CalendarDate): EditionWindow {
  return windowOfDailies(day, day);
}

/** A week and a month are compiled from the dailies dated in them: they reach as far as those do. */
export function weeklyEditionWindow(week: IsoWeek): EditionWindow {
  return windowOfDailies(firstDayOfWeek(week), lastDayOfWeek(week));
}

export function monthlyEditionWindow(month: CalendarMonth): EditionWindow {
  return windowOfDailies(firstDayOfMonth(month), lastDayOfMonth(month));
}

/** Editions due later than `after` and no later than `until`, oldest first; adjoining spans share none. */
export function dailyEditionsDue(after: EpochMicroseconds, until: EpochMicroseconds): CalendarDate[] {
  return labelsDue(shanghaiDateOf(after), addDays, dailyEditionDue, { after, until });
}

export function weeklyEditionsDue(after: EpochMicroseconds, until: EpochMicroseconds): IsoWeek[] {
  return labelsDue(isoWeekOf(shanghaiDateOf(after)), addWeeks, weeklyEditionDue, { after, until });
}

export function monthlyEditionsDue(after: EpochMicroseconds, until: EpochMicroseconds): CalendarMonth[] {
  return labelsDue(calendarMonthOf(shanghaiDateOf(after)), addMonths, monthlyEditionDue, { after, until });
}

function windowOfDailies(first: CalendarDate, last: CalendarDate): EditionWindow {
  return { start: dailyEditionDue(addDays(first, -1)), end: dailyEditionDue(last) };
}

function labelsDue<Label>(
  current: Label,
  add: (label: Label, count: number) => Label,
  dueOf: (label: Label) => EpochMicroseconds,
  span: { readonly after: EpochMicroseconds; readonly until: EpochMicroseconds },
): Label[] {
  const labels: Label[] = [];
  // A week or month that has just ended may still be due.
  for (let label = add(current, -1); ; label = add(label, 1)) {
    const due = dueOf(label);
    if (due > span.until) return labels;
    if (due > span.after) labels.push(label);
  }
}
