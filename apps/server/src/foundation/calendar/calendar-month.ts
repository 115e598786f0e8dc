import type { Brand } from '../brand.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';
import type { CalendarDate, LabelFault } from './calendar-date.ts';
import { calendarDate, plainDate } from './calendar-date.ts';

/** `YYYY-MM`. */
export type CalendarMonth = Brand<string, 'CalendarMonth'>;

const form = /^[0-9]{4}-[0-9]{2}$/;

export function parseCalendarMonth(text: string): Result<CalendarMonth, LabelFault> {
  if (!form.test(text)) return refused('malformed');
  const month = Number(text.slice(5));
  if (text.startsWith('0000') || month < 1 || month > 12) return refused('impossible');
  return accepted(text as CalendarMonth);
}

export function calendarMonthOf(date: CalendarDate): CalendarMonth {
  return date.slice(0, 7) as CalendarMonth;
}

export function firstDayOfMonth(month: CalendarMonth): CalendarDate {
  return `${month}-01` as CalendarDate;
}

export function lastDayOfMonth(month: CalendarMonth): CalendarDate {
  const first = plainDate(firstDayOfMonth(month));
  return calendarDate(first.with({ day: first.daysInMonth }));
}

export function addMonths(month: CalendarMonth, months: number): CalendarMonth {
  return calendarMonthOf(calendarDate(plainDate(firstDayOfMonth(month)).add({ months })));
}
