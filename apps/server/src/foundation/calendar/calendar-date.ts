import type { Brand } from '../brand.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';

/** A day as `YYYY-MM-DD`, in the years 0001 to 9999. Labels of one kind sort as strings. */
export type CalendarDate = Brand<string, 'CalendarDate'>;

/** Malformed: wrong format. Impossible: right format, but no such date exists. */
export type LabelFault = 'malformed' | 'impossible';

const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

export function parseCalendarDate(text: string): Result<CalendarDate, LabelFault> {
  if (!form.test(text)) return refused('malformed');
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  if (year === 0 || month < 1 || month > 12 || day < 1) return refused('impossible');
  const { daysInMonth } = new Temporal.PlainYearMonth(year, month);
  return day <= daysInMonth ? accepted(text as CalendarDate) : refused('impossible');
}

export function plainDate(date: CalendarDate): Temporal.PlainDate {
  return Temporal.PlainDate.from(date);
}

export function calendarDate(date: Temporal.PlainDate): CalendarDate {
  if (date.year < 1 || date.year > 9999) throw new RangeError('day outside the years 0001 to 9999');
  return date.toString() as CalendarDate;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return calendarDate(plainDate(date).add({ days }));
}
