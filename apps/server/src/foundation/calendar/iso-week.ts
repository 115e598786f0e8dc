import type { Brand } from '../brand.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';
import type { CalendarDate, LabelFault } from './calendar-date.ts';
import { addDays, calendarDate, plainDate } from './calendar-date.ts';

/** `YYYY-Www`: Monday to Sunday, belonging to the year of its Thursday. */
export type IsoWeek = Brand<string, 'IsoWeek'>;

const form = /^[0-9]{4}-W[0-9]{2}$/;

export function parseIsoWeek(text: string): Result<IsoWeek, LabelFault> {
  if (!form.test(text)) return refused('malformed');
  const [year, week] = partsOf(text);
  if (year === 0 || week < 1 || week > weeksInYear(year)) return refused('impossible');
  return accepted(text as IsoWeek);
}

export function isoWeekOf(date: CalendarDate): IsoWeek {
  const { yearOfWeek, weekOfYear } = plainDate(date);
  return `${padded(yearOfWeek, 4)}-W${padded(weekOfYear, 2)}` as IsoWeek;
}

export function firstDayOfWeek(week: IsoWeek): CalendarDate {
  const [year, number] = partsOf(week);
  const fourth = new Temporal.PlainDate(year, 1, 4);
  return calendarDate(fourth.add({ days: (number - 1) * 7 - (fourth.dayOfWeek - 1) }));
}

export function lastDayOfWeek(week: IsoWeek): CalendarDate {
  return addDays(firstDayOfWeek(week), 6);
}

export function addWeeks(week: IsoWeek, weeks: number): IsoWeek {
  return isoWeekOf(addDays(firstDayOfWeek(week), weeks * 7));
}

function partsOf(week: string): readonly [year: number, week: number] {
  return [Number(week.slice(0, 4)), Number(week.slice(6))];
}

/** 28 December is always in the last week of its year. */
function weeksInYear(year: number): number {
  return new Temporal.PlainDate(year, 12, 28).weekOfYear ?? 0;
}

function padded(value: number | undefined, width: number): string {
  return String(value).padStart(width, '0');
}
