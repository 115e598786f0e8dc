import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CalendarDate } from './calendar-date.ts';
import { addDays } from './calendar-date.ts';
import type { CalendarMonth } from './calendar-month.ts';
import {
  addMonths,
  calendarMonthOf,
  firstDayOfMonth,
  lastDayOfMonth,
  parseCalendarMonth,
} from './calendar-month.ts';

const anyDay = fc
  .integer({ min: -36_500, max: 73_000 })
  .map((days) => addDays('2000-01-01' as CalendarDate, days));

describe('parsing', () => {
  test.each(['2026-01', '2026-12', '0001-01', '9999-12'])('accepts %s as a month', (text) => {
    expect(parseCalendarMonth(text)).toEqual({ ok: true, value: text });
  });

  test.each([
    ['2026-13', 'impossible'],
    ['2026-00', 'impossible'],
    ['0000-01', 'impossible'],
    ['2026-1', 'malformed'],
    ['202601', 'malformed'],
    ['2026-01-01', 'malformed'],
    ['2026-01\n', 'malformed'],
    ['２０２６-０１', 'malformed'],
  ])('%j is refused as %s', (text, reason) => {
    expect(parseCalendarMonth(text)).toEqual({ ok: false, reason });
  });
});

test('ends February on the last day of its year', () => {
  const ends = ['2023', '2024', '1900', '2000'].map((year) => lastDayOfMonth(`${year}-02` as CalendarMonth));
  expect(ends).toEqual(['2023-02-28', '2024-02-29', '1900-02-28', '2000-02-29']);
});

test('contains its own days and no others', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const month = calendarMonthOf(day);
      const [first, last] = [firstDayOfMonth(month), lastDayOfMonth(month)];
      expect(first <= day && day <= last).toBe(true);
      expect(addDays(last, 1)).toBe(firstDayOfMonth(addMonths(month, 1)));
      expect(addDays(first, -1)).toBe(lastDayOfMonth(addMonths(month, -1)));
    }),
  );
});

test('steps across years can be walked back, and later months sort later', () => {
  expect(addMonths('2026-12' as CalendarMonth, 1)).toBe('2027-01');
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 1000 }), (day, months) => {
      const month = calendarMonthOf(day);
      expect(addMonths(addMonths(month, months), -months)).toBe(month);
      expect(month < addMonths(month, months)).toBe(true);
    }),
  );
});
