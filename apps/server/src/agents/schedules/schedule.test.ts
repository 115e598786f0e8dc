import { expect, test } from 'vitest';

import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, isoMilliseconds, parseIsoInstant } from '../../foundation/instant.ts';
import type { Timetable } from './schedule.ts';
import { isTimeZone, lastDueAt, nextDueAfter } from './schedule.ts';

const at = (text: string): EpochMicroseconds => {
  const parsed = parseIsoInstant(text);
  return parsed.ok ? parsed.value : epochMicroseconds(0n);
};
const berlin: Timetable = { repeats: 'daily', weekday: null, hour: 2, timeZone: 'Europe/Berlin' };

test.each<[string, Timetable, string, string]>([
  ['daily', berlin, '2026-11-19T01:00:00.000Z', '2026-11-20T01:00:00.000Z'],
  ['in an hour that summer time skips', berlin, '2026-03-28T12:00:00.000Z', '2026-03-29T01:00:00.000Z'],
  [
    'once in an hour that winter time repeats',
    berlin,
    '2026-10-25T00:00:00.000Z',
    '2026-10-26T01:00:00.000Z',
  ],
  [
    'on the next weekday',
    { ...berlin, repeats: 'weekdays' },
    '2026-11-20T12:00:00.000Z',
    '2026-11-23T01:00:00.000Z',
  ],
  [
    'on its weekday in its own time zone',
    { repeats: 'weekly', weekday: 1, hour: 7, timeZone: 'Asia/Shanghai' },
    '2026-11-15T22:59:00.000Z',
    '2026-11-15T23:00:00.000Z',
  ],
])('is due %s', (_, timetable, after, due) => {
  expect(isoMilliseconds(nextDueAfter(timetable, at(after)))).toBe(due);
  expect(isoMilliseconds(lastDueAt(timetable, at(due)))).toBe(due);
});

test('the time before a due time belongs to the one before', () => {
  expect(isoMilliseconds(lastDueAt(berlin, at('2026-11-19T00:59:59.999Z')))).toBe('2026-11-18T01:00:00.000Z');
});

test('a time zone has a name', () => {
  expect(['Asia/Shanghai', 'UTC', 'Europe/Berlin'].map(isTimeZone)).toEqual([true, true, true]);
  expect(['+08:00', 'Mars/Olympus', '', 'x'.repeat(64)].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
