import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CalendarDate } from './calendar-date.ts';
import { addDays } from './calendar-date.ts';
import type { IsoWeek } from './iso-week.ts';
import { addWeeks, firstDayOfWeek, isoWeekOf, lastDayOfWeek, parseIsoWeek } from './iso-week.ts';

const anyDay = fc
  .integer({ min: -36_500, max: 73_000 })
  .map((days) => addDays('2000-01-01' as CalendarDate, days));

describe('parsing', () => {
  test.each(['2020-W53', '2026-W53', '2026-W01', '2025-W52', '9999-W52'])('accepts %s as a week', (text) => {
    expect(parseIsoWeek(text)).toEqual({ ok: true, value: text });
  });

  test.each([
    ['2025-W53', 'impossible'],
    ['2024-W53', 'impossible'],
    ['2026-W54', 'impossible'],
    ['2026-W00', 'impossible'],
    ['0000-W01', 'impossible'],
    ['2026-w01', 'malformed'],
    ['2026W01', 'malformed'],
    ['2026-W1', 'malformed'],
    ['2026-W011', 'malformed'],
    ['2026-W01-1', 'malformed'],
    ['2026-W٠١', 'malformed'],
    ['2026-W01\n', 'malformed'],
  ])('%j is refused as %s', (text, reason) => {
    expect(parseIsoWeek(text)).toEqual({ ok: false, reason });
  });

  test('a year has week 53 exactly when it begins or ends on a Thursday', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), (year) => {
        const thursday = [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)].some(
          (day) => new Date(day).getUTCDay() === 4,
        );
        expect(parseIsoWeek(`${year}-W53`).ok).toBe(thursday);
      }),
    );
  });
});

test.each([
  ['2019-12-30', '2020-W01'],
  ['2021-01-03', '2020-W53'],
  ['2021-01-04', '2021-W01'],
  ['2022-01-02', '2021-W52'],
  ['2024-12-30', '2025-W01'],
  ['2027-01-03', '2026-W53'],
  ['2026-11-15', '2026-W46'],
])('%s belongs to %s', (day, week) => {
  expect(isoWeekOf(day as CalendarDate)).toBe(week);
});

test('a week runs from its Monday to its Sunday, and each day between names it', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const week = isoWeekOf(day);
      const monday = firstDayOfWeek(week);
      const sunday = lastDayOfWeek(week);
      expect([new Date(monday).getUTCDay(), new Date(sunday).getUTCDay()]).toEqual([1, 0]);
      expect(monday <= day && day <= sunday).toBe(true);
      expect(isoWeekOf(addDays(sunday, 1))).not.toBe(week);
      expect(isoWeekOf(addDays(monday, -1))).not.toBe(week);
      expect(parseIsoWeek(week).ok).toBe(true);
    }),
  );
});

test('steps across years and week 53 can be walked back, and later weeks sort later', () => {
  expect(addWeeks('2026-W53' as IsoWeek, 1)).toBe('2027-W01');
  expect(addWeeks('2026-W01' as IsoWeek, -1)).toBe('2025-W52');
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 1000 }), (day, weeks) => {
      const week = isoWeekOf(day);
      const later = addWeeks(week, weeks);
      expect(addWeeks(later, -weeks)).toBe(week);
      expect(week < later).toBe(true);
    }),
  );
});
