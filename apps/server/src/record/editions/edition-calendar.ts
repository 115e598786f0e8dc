import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { addDays } from '../../foundation/calendar/calendar-date.ts';
import type { CalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import {
  addMonths,
  calendarMonthOf,
  firstDayOfMonth,
  lastDayOfMonth,
} from '../../foundation/calendar/calendar-month.ts';
import type { IsoWeek } from '../../foundation/calendar/iso-week.ts';
import { addWeeks, firstDayOfWeek, isoWeekOf, lastDayOfWeek } from '../../foundation/calendar/iso-week.ts';
import type { LocalTime } from '../../foundation/calendar/shanghai-time.ts';
import { shanghaiDateOf, shanghaiInstant } from '../../foundation/calendar/shanghai-time.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

// The publication schedule, Asia/Shanghai.
const dailyAt: LocalTime = { hour: 8, minute: 0 };
const weeklyAt: LocalTime = { hour: 10, minute: 0 };
const monthlyAt: LocalTime = { hour: 10, minute: 30 };

/** Half-open: `start` is inside, `end` is not. */
export interface EditionWindow {
  readonly start: EpochMicroseconds;
  readonly end: EpochMicroseconds;
}

/** The calendar of one kind of edition, by the label of its period: a day, an ISO week or a month. */
interface KindCalendar<Label> {
  /** The instant from which the edition should exist. */
  readonly due: (label: Label) => EpochMicroseconds;
  /** The time that the edition covers. */
  readonly window: (label: Label) => EditionWindow;
  /** Those due later than `after` and no later than `until`, oldest first; adjoining spans share none. */
  readonly dueBetween: (after: EpochMicroseconds, until: EpochMicroseconds) => Label[];
}

/** A daily is published when its window closes. */
const dailyDue = (day: CalendarDate): EpochMicroseconds => shanghaiInstant(day, dailyAt);
const weeklyDue = (week: IsoWeek): EpochMicroseconds =>
  shanghaiInstant(firstDayOfWeek(addWeeks(week, 1)), weeklyAt);
const monthlyDue = (month: CalendarMonth): EpochMicroseconds =>
  shanghaiInstant(firstDayOfMonth(addMonths(month, 1)), monthlyAt);

const daily: KindCalendar<CalendarDate> = {
  due: dailyDue,
  window: (day) => windowOfDailies(day, day),
  dueBetween: (after, until) => labelsDue(shanghaiDateOf(after), addDays, dailyDue, { after, until }),
};

// A weekly and a monthly are compiled from the dailies dated in them and cover the same time.
const weekly: KindCalendar<IsoWeek> = {
  due: weeklyDue,
  window: (week) => windowOfDailies(firstDayOfWeek(week), lastDayOfWeek(week)),
  dueBetween: (after, until) =>
    labelsDue(isoWeekOf(shanghaiDateOf(after)), addWeeks, weeklyDue, { after, until }),
};

const monthly: KindCalendar<CalendarMonth> = {
  due: monthlyDue,
  window: (month) => windowOfDailies(firstDayOfMonth(month), lastDayOfMonth(month)),
  dueBetween: (after, until) =>
    labelsDue(calendarMonthOf(shanghaiDateOf(after)), addMonths, monthlyDue, { after, until }),
};

/** Publication times and windows of editions. */
export const editionCalendar = { daily, weekly, monthly } as const;

function windowOfDailies(first: CalendarDate, last: CalendarDate): EditionWindow {
  return { start: dailyDue(addDays(first, -1)), end: dailyDue(last) };
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
