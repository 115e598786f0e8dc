import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import type { EpochMicroseconds } from './instant.ts';
import {
  epochMicroseconds,
  httpDate,
  instantFromMs,
  instantToMs,
  isoMicroseconds,
  isoMilliseconds,
  parseIsoDatetime,
  parseIsoInstant,
  parseTimestamptz,
} from './instant.ts';

const anyInstant = fc
  .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  .map(epochMicroseconds);

const dayFromTheEnds = anyInstant.filter(
  (instant) => instant > -62_135_500_000_000_000n && instant < 253_402_200_000_000_000n,
);

describe('the written forms', () => {
  test('preserves every microsecond in the internal form', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(parseIsoInstant(isoMicroseconds(instant))).toEqual({ ok: true, value: instant });
      }),
    );
  });

  test('the public form is the internal one without its last three digits, before 1970 as well', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(isoMilliseconds(instant)).toBe(isoMicroseconds(instant).replace(/...Z$/, 'Z'));
      }),
    );
    expect(isoMilliseconds(epochMicroseconds(-1n))).toBe('1969-12-31T23:59:59.999Z');
  });

  test('both forms sort as the instants do', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (one, other) => {
        expect(isoMicroseconds(one) < isoMicroseconds(other)).toBe(one < other);
      }),
    );
  });

  test('milliseconds agree with Date and round down', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const milliseconds = instantToMs(instant);
        expect(new Date(milliseconds).toISOString()).toBe(isoMilliseconds(instant));
        expect(instantFromMs(milliseconds)).toBeLessThanOrEqual(instant);
      }),
    );
  });

  test.each([
    ['2026-02-29T00:00:00.000Z', 'impossible'],
    ['2026-13-01T00:00:00.000Z', 'impossible'],
    ['2026-01-01T24:00:00.000Z', 'impossible'],
    ['2016-12-31T23:59:60.000Z', 'impossible'],
    ['0000-01-01T00:00:00.000Z', 'impossible'],
    ['2026-01-01T00:00:00Z', 'malformed'],
    ['2026-01-01T00:00:00.0000Z', 'malformed'],
    ['2026-01-01T00:00:00.000+00:00', 'malformed'],
    ['2026-01-01 00:00:00.000Z', 'malformed'],
    ['2026-01-01T00:00:00.000Z\n', 'malformed'],
    ['２026-01-01T00:00:00.000Z', 'malformed'],
    ['+002026-01-01T00:00:00.000Z', 'malformed'],
  ])('%j is refused as %s', (text, reason) => {
    expect(parseIsoInstant(text)).toEqual({ ok: false, reason });
  });
});

describe('timestamptz text', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('round-trips what PostgreSQL stores and sends to the microsecond, in every session time zone', async () => {
    const instants = fc.sample(dayFromTheEnds, 300);
    const client = await database.pool.connect();
    try {
      for (const zone of ['UTC', 'Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns']) {
        await client.query(`SET TIME ZONE '${zone}'`);
        const { rows } = await client.query<{ instant: string }>(
          'SELECT unnest($1::text[])::timestamptz AS instant',
          [instants.map(isoMicroseconds)],
        );
        expect(rows.map((row) => parseTimestamptz(row.instant))).toEqual(
          instants.map((value) => ({ ok: true, value })),
        );
      }
    } finally {
      client.release();
    }
  });

  test.each([
    ['2026-11-15 08:00:00+08', '2026-11-15T00:00:00.000000Z'],
    ['2026-11-15 00:00:00.1+00', '2026-11-15T00:00:00.100000Z'],
    ['2026-11-15 00:00:00.000001+00', '2026-11-15T00:00:00.000001Z'],
    ['2026-11-15T00:00:00.123456+00:00', '2026-11-15T00:00:00.123456Z'],
    ['2026-11-15 05:45:00+05:45', '2026-11-15T00:00:00.000000Z'],
    ['2026-11-14 19:00:00-05', '2026-11-15T00:00:00.000000Z'],
    ['1900-01-01 08:05:43+08:05:43', '1900-01-01T00:00:00.000000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseTimestamptz(text)).toEqual({ ok: true, value: instantOf(expected) });
  });

  test('loses no microsecond, whatever the offset and the number of omitted digits', () => {
    const anyOffset = fc.integer({ min: -15 * 3600, max: 15 * 3600 });
    fc.assert(
      fc.property(dayFromTheEnds, anyOffset, (instant, offsetSeconds) => {
        expect(parseTimestamptz(postgresText(instant, offsetSeconds))).toEqual({ ok: true, value: instant });
      }),
    );
  });

  test.each([
    ['infinity', 'malformed'],
    ['-infinity', 'malformed'],
    ['0044-03-15 00:00:00+00 BC', 'malformed'],
    ['10000-01-01 00:00:00+00', 'malformed'],
    ['2026-11-15 00:00:00', 'malformed'],
    ['2026-11-15 00:00:00.1234567+00', 'malformed'],
    ['2026-02-30 00:00:00+00', 'impossible'],
    ['9999-12-31 23:00:00-05', 'impossible'],
  ])('%s is refused as %s', (text, reason) => {
    expect(parseTimestamptz(text)).toEqual({ ok: false, reason });
  });
});

test('refuses an instant outside the years 0001 to 9999', () => {
  expect(() => instantFromMs(Date.UTC(10_000, 0, 1))).toThrow(RangeError);
  expect(() => epochMicroseconds(-62_135_596_800_000_001n)).toThrow(RangeError);
});

/** Whole milliseconds by Date, the last three digits by hand. */
function instantOf(text: string): bigint {
  return BigInt(Date.parse(`${text.slice(0, 23)}Z`)) * 1000n + BigInt(text.slice(23, 26));
}

/** As PostgreSQL writes it: trailing zeros of the fraction dropped, only the offset's parts that are not zero. */
function postgresText(instant: EpochMicroseconds, offsetSeconds: number): string {
  const local = epochMicroseconds(instant + BigInt(offsetSeconds) * 1_000_000n);
  const [seconds, fraction = ''] = isoMicroseconds(local).slice(0, -1).replace('T', ' ').split('.');
  const digits = fraction.replace(/0+$/, '');
  const written = digits === '' ? seconds : `${seconds}.${digits}`;
  const size = Math.abs(offsetSeconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  const offset = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${written}${offsetSeconds < 0 ? '-' : '+'}${offset}`;
}

test.each(['2027-01-01T00:00:00Z', '2027-01-01T08:00:00+08:00', '2026-12-31T23:00:00.000000-01:00'])(
  'accepts the moment %s with any offset from a caller',
  (text) => {
    expect(parseIsoDatetime(text)).toEqual({ ok: true, value: 1_798_761_600_000_000n });
  },
);

test.each(['2027-01-01', '2027-01-01T00:00:00', '2027-01-01 00:00:00Z', '2027-02-30T00:00:00Z', 'tomorrow'])(
  'refuses %s as a moment',
  (text) => {
    expect(parseIsoDatetime(text).ok).toBe(false);
  },
);

test('a date of HTTP has the form of RFC 9110', () => {
  expect(httpDate(instantFromMs(784_111_777_000))).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
});
