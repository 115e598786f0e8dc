import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addDays, parseCalendarDate } from './calendar-date.ts';
import type { CalendarDate } from './calendar-date.ts';

const anyDay = fc
  .integer({ min: -36_500, max: 73_000 })
  .map((days) => addDays('2000-01-01' as CalendarDate, days));

describe('parsing', () => {
  test.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('accepts %s as a day', (text) => {
    expect(parseCalendarDate(text)).toEqual({ ok: true, value: text });
  });

  test.each([
    ['2026-02-29', 'impossible'],
    ['1900-02-29', 'impossible'],
    ['2026-04-31', 'impossible'],
    ['2026-00-10', 'impossible'],
    ['2026-13-01', 'impossible'],
    ['2026-01-00', 'impossible'],
    ['2026-01-32', 'impossible'],
    ['0000-01-01', 'impossible'],
    ['', 'malformed'],
    ['2026-1-1', 'malformed'],
    ['20260101', 'malformed'],
    ['2026-01-01 ', 'malformed'],
    ['2026-01-01\n', 'malformed'],
    ['-026-01-01', 'malformed'],
    ['+002026-01-01', 'malformed'],
    ['2026-01-01T00:00', 'malformed'],
    ['٢٠٢٦-٠١-٠١', 'malformed'],
    ['２０２６-０１-０１', 'malformed'],
    ['2026‐01‐01', 'malformed'],
  ])('%j is refused as %s', (text, reason) => {
    expect(parseCalendarDate(text)).toEqual({ ok: false, reason });
  });

  test('accepts three numbers exactly when Date leaves them unchanged', () => {
    const part = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), part, part, (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const unchanged = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
        expect(parseCalendarDate(text).ok).toBe(unchanged);
      }),
    );
  });
});

describe('stepping', () => {
  test('a step forward and back returns to the first day, and a later day sorts later', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 10_000 }), (day, days) => {
        const later = addDays(day, days);
        expect(addDays(later, -days)).toBe(day);
        expect(day < later).toBe(true);
        expect(Date.parse(later) - Date.parse(day)).toBe(days * 86_400_000);
      }),
    );
  });

  test('throws on a step out of the calendar instead of writing a label of another width', () => {
    expect(() => addDays('9999-12-31' as CalendarDate, 1)).toThrow(RangeError);
    expect(() => addDays('0001-01-01' as CalendarDate, -1)).toThrow(RangeError);
  });
});
