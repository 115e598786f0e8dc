import { expect, test } from 'vitest';

import { isoMilliseconds } from '../../foundation/instant.ts';
import { parseFeedDate } from './feed-date.ts';

test.each([
  ['Thu, 01 Jan 2026 19:48:21 GMT', '2026-01-01T19:48:21.000Z'],
  ['Thu, 1 Jan 2026 19:48 +0800', '2026-01-01T11:48:00.000Z'],
  ['01 Jan 26 19:48:21 EST', '2026-01-02T00:48:21.000Z'],
  ['Thursday, January 1, 2026 7:48 PM PST', '2026-01-02T03:48:00.000Z'],
  ['Jan. 1st, 2026', '2026-01-01T00:00:00.000Z'],
  ['Thu Jan  1 19:48:21 2026', '2026-01-01T19:48:21.000Z'],
  ['Thu Jan  1 19:48:21 UTC 2026', '2026-01-01T19:48:21.000Z'],
  ['2026-01-01T19:48:21.123456789-05:00', '2026-01-02T00:48:21.123Z'],
  ['2026-01-01T19:48:21+0800', '2026-01-01T11:48:21.000Z'],
  ['2026-01-01 19:48:21 UTC', '2026-01-01T19:48:21.000Z'],
  ['2026-01-01 T 19:48:21-05:00', '2026-01-02T00:48:21.000Z'],
  ['2026-01-01T24:00:00Z', '2026-01-01T23:59:59.000Z'],
  ['2026-01-01T23:59:60Z', '2026-01-01T23:59:59.000Z'],
  ['20260101T194821Z', '2026-01-01T19:48:21.000Z'],
  ['2026-01-01', '2026-01-01T00:00:00.000Z'],
  ['2026-01', '2026-01-01T00:00:00.000Z'],
  ['2026/1/12 9:05:00', '2026-01-12T09:05:00.000Z'],
  ['12/25/2025 10:00 AM', '2025-12-25T10:00:00.000Z'],
  ['25/12/2025 10:00', '2025-12-25T10:00:00.000Z'],
  ['25.12.2025 10:00', '2025-12-25T10:00:00.000Z'],
  ['2026年1月1日 下午7:48', '2026-01-01T19:48:00.000Z'],
  ['2026年01月01日', '2026-01-01T00:00:00.000Z'],
  ['2026년 1월 1일 오후 7:48', '2026-01-01T19:48:00.000Z'],
  ['Do, 1 Jän 2026 10:00:00 +0100', '2026-01-01T09:00:00.000Z'],
  ['1 de enero de 2026', '2026-01-01T00:00:00.000Z'],
  ['1er février 2026', '2026-02-01T00:00:00.000Z'],
  ['Пт, 02 янв 2026 10:00:00 +0300', '2026-01-02T07:00:00.000Z'],
  ['Seg, 01 Set 2025 10:00:00 -0300', '2025-09-01T13:00:00.000Z'],
  ['1767297600', '2026-01-01T20:00:00.000Z'],
  ['1767297600123', '2026-01-01T20:00:00.123Z'],
])('parses %s', (raw, expected) => {
  const read = parseFeedDate(raw, '+00:00');
  expect(read === null ? null : isoMilliseconds(read.instant)).toBe(expected);
});

test.each([
  '',
  'yesterday',
  '2026-13-01',
  'Fri, 31 Feb 2026 10:00:00 GMT',
  '10:00',
  'Version 1.2.3',
  '99999999999999',
])('refuses %j', (raw) => {
  expect(parseFeedDate(raw, '+00:00')).toBeNull();
});

test('reads CST as China Standard Time if China’s offset is assumed', () => {
  const read = (offset: string): string | null => {
    const date = parseFeedDate('Thu, 01 Jan 2026 20:00:00 CST', offset);
    return date === null ? null : isoMilliseconds(date.instant);
  };
  expect(read('+00:00')).toBe('2026-01-02T02:00:00.000Z');
  expect(read('+08:00')).toBe('2026-01-01T12:00:00.000Z');
});

test('reports whether the zone was assumed and whether the text has a time', () => {
  expect(parseFeedDate('2026-01-01T10:00:00', '+00:00')).toMatchObject({ zoneAssumed: true, dayOnly: false });
  expect(parseFeedDate('2026-01-01T10:00:00Z', '+00:00')).toMatchObject({
    zoneAssumed: false,
    dayOnly: false,
  });
  expect(parseFeedDate('2026-01-01', '+00:00')).toMatchObject({ zoneAssumed: true, dayOnly: true });
});
