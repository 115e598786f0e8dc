import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { EpochMicroseconds } from '../instant.ts';
import { instantFromMs, instantToMs, isoMilliseconds } from '../instant.ts';
import type { CalendarDate } from './calendar-date.ts';
import { addDays } from './calendar-date.ts';
import { shanghaiDateOf, shanghaiInstant } from './shanghai-time.ts';

const anyDay = fc
  .integer({ min: -36_500, max: 73_000 })
  .map((days) => addDays('2000-01-01' as CalendarDate, days));

const at = (text: string): EpochMicroseconds => instantFromMs(Date.parse(text));

const intl = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
});

test.each([
  ['2026-11-14T15:59:59.999Z', '2026-11-14'],
  ['2026-11-14T16:00:00.000Z', '2026-11-15'],
  ['1988-07-01T14:59:59.999Z', '1988-07-01'],
  ['1988-07-01T15:00:00.000Z', '1988-07-02'],
])('at %s it is %s in Shanghai, summer time of 1988 included', (instant, day) => {
  expect(shanghaiDateOf(at(instant))).toBe(day);
});

test('converts eight in the morning to an hour earlier in UTC during summer time', () => {
  const eight = (day: string): string =>
    isoMilliseconds(shanghaiInstant(day as CalendarDate, { hour: 8, minute: 0 }));
  expect(eight('1988-07-01')).toBe('1988-06-30T23:00:00.000Z');
  expect(eight('1988-12-01')).toBe('1988-12-01T00:00:00.000Z');
  expect(eight('2026-11-15')).toBe('2026-11-15T00:00:00.000Z');
});

test('maps a local time skipped by the change to summer time to after the gap', () => {
  // In 1986 clocks went from 02:00 to 03:00 on 4 May.
  const skipped = shanghaiInstant('1986-05-04' as CalendarDate, { hour: 2, minute: 30 });
  expect(intl.format(instantToMs(skipped))).toBe('1986-05-04 03:30:00');
});

test('from 1980 on, a local time and its instant agree with Intl', () => {
  const modern = anyDay.filter((day) => day > '1980');
  fc.assert(
    fc.property(modern, fc.integer({ min: 4, max: 23 }), fc.nat(59), (day, hour, minute) => {
      const instant = shanghaiInstant(day, { hour, minute });
      const time = [hour, minute, 0].map((part) => String(part).padStart(2, '0')).join(':');
      expect(intl.format(instantToMs(instant))).toBe(`${day} ${time}`);
      expect(shanghaiDateOf(instant)).toBe(day);
    }),
  );
});
