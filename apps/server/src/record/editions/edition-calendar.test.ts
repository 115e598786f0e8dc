import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { addDays } from '../../foundation/calendar/calendar-date.ts';
import type { CalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import type { IsoWeek } from '../../foundation/calendar/iso-week.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, instantFromMs, isoMilliseconds } from '../../foundation/instant.ts';
import type { EditionWindow } from './edition-calendar.ts';
import { editionCalendar } from './edition-calendar.ts';

const anyDay = fc
  .integer({ min: -36_500, max: 73_000 })
  .map((days) => addDays('2000-01-01' as CalendarDate, days));

const at = (text: string): EpochMicroseconds => instantFromMs(Date.parse(text));
const written = ({ start, end }: EditionWindow): string[] => [isoMilliseconds(start), isoMilliseconds(end)];

test('a daily covers the 24 hours before 08:00 of its day, and is due then', () => {
  const day = '2026-11-15' as CalendarDate;
  expect(written(editionCalendar.daily.window(day))).toEqual([
    '2026-11-14T00:00:00.000Z',
    '2026-11-15T00:00:00.000Z',
  ]);
  expect(editionCalendar.daily.due(day)).toBe(at('2026-11-15T00:00:00.000Z'));
});

test('a weekly covers the windows of its seven dailies and is due the Monday after at 10:00', () => {
  const week = '2026-W53' as IsoWeek;
  expect(written(editionCalendar.weekly.window(week))).toEqual([
    '2026-12-27T00:00:00.000Z',
    '2027-01-03T00:00:00.000Z',
  ]);
  expect(editionCalendar.weekly.due(week)).toBe(at('2027-01-04T02:00:00.000Z'));
});

test('a monthly covers the windows of its dailies and is due on the 1st after at 10:30', () => {
  const month = '2026-12' as CalendarMonth;
  expect(written(editionCalendar.monthly.window(month))).toEqual([
    '2026-11-30T00:00:00.000Z',
    '2026-12-31T00:00:00.000Z',
  ]);
  expect(editionCalendar.monthly.due(month)).toBe(at('2027-01-01T02:30:00.000Z'));
});

test('windows of neighbouring dailies meet without gap or overlap, including through summer time', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      expect(editionCalendar.daily.window(day).end).toBe(editionCalendar.daily.window(addDays(day, 1)).start);
    }),
  );
});

describe('editions due in a span', () => {
  const due = at('2026-06-01T02:00:00.000Z');
  const before = (instant: EpochMicroseconds): EpochMicroseconds => epochMicroseconds(instant - 1n);

  test('include the end of the span and exclude its beginning', () => {
    expect(editionCalendar.weekly.dueBetween(before(due), due)).toEqual(['2026-W22']);
    expect(editionCalendar.weekly.dueBetween(due, epochMicroseconds(due + 1n))).toEqual([]);
    expect(editionCalendar.weekly.dueBetween(before(before(due)), before(due))).toEqual([]);
  });

  test('include a daily, a weekly and a monthly on a Monday that is the first of a month', () => {
    const [after, until] = [at('2026-05-31T16:00:00.000Z'), at('2026-06-01T16:00:00.000Z')];
    expect(editionCalendar.daily.dueBetween(after, until)).toEqual(['2026-06-01']);
    expect(editionCalendar.weekly.dueBetween(after, until)).toEqual(['2026-W22']);
    expect(editionCalendar.monthly.dueBetween(after, until)).toEqual(['2026-05']);
  });

  test('2026 has 365 dailies, 53 weeklies and 12 monthlies', () => {
    const newYear = (year: number): EpochMicroseconds => at(`${year - 1}-12-31T16:00:00Z`);
    expect(editionCalendar.daily.dueBetween(newYear(2026), newYear(2027))).toHaveLength(365);
    expect(editionCalendar.monthly.dueBetween(newYear(2026), newYear(2027))).toHaveLength(12);
    const weeks = editionCalendar.weekly.dueBetween(at('2026-01-05T00:00:00Z'), at('2027-01-05T00:00:00Z'));
    expect([weeks.length, weeks.at(0), weeks.at(-1)]).toEqual([53, '2026-W01', '2026-W53']);
  });

  test('are neither lost nor duplicated when a span is cut anywhere', () => {
    const micro = fc
      .bigInt({ min: at('1985-01-01T00:00:00.000Z'), max: at('2035-01-01T00:00:00.000Z') })
      .map(epochMicroseconds);
    const length = fc.bigInt({ min: 0n, max: 100n * 86_400_000_000n });
    fc.assert(
      fc.property(micro, length, length, (after, first, second) => {
        const [cut, until] = [epochMicroseconds(after + first), epochMicroseconds(after + first + second)];
        for (const editionsDue of [
          editionCalendar.daily.dueBetween,
          editionCalendar.weekly.dueBetween,
          editionCalendar.monthly.dueBetween,
        ]) {
          expect([...editionsDue(after, cut), ...editionsDue(cut, until)]).toEqual(editionsDue(after, until));
        }
      }),
    );
  });

  test('include each edition in the span that ends at its due instant', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const instant = editionCalendar.daily.due(day);
        expect(editionCalendar.daily.dueBetween(before(instant), instant)).toEqual([day]);
      }),
    );
  });
});
