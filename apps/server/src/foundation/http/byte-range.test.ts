import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readByteRange } from './byte-range.ts';

test.each([
  [undefined, null],
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=5-99', { first: 5, last: 9 }],
  ['BYTES=9-9', { first: 9, last: 9 }],
  ['bytes=3-2', null],
  ['bytes=0-1,4-5', null],
  ['items=0-3', null],
  ['bytes=', null],
  ['bytes=-', null],
  ['bytes=1e1-', null],
])('of ten bytes, %s is %j', (header, range) => {
  expect(readByteRange(header, 10)).toEqual({ ok: true, value: range });
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=999999999999999-'])(
  '%s begins after the tenth byte',
  (header) => {
    expect(readByteRange(header, 10).ok).toBe(false);
  },
);

test('ignores a header with a thousand ranges', () => {
  expect(readByteRange(`bytes=${Array(1_000).fill('0-0').join()}`, 10)).toEqual({ ok: true, value: null });
});

test('returns a range within the existing bytes for any header', () => {
  const position = fc.option(fc.nat(50), { nil: '' });
  fc.assert(
    fc.property(position, position, fc.nat(40), (from, to, size) => {
      const read = readByteRange(`bytes=${from}-${to}`, size);
      if (!read.ok || read.value === null) return;
      const { first, last } = read.value;
      expect(0 <= first && first <= last && last < size).toBe(true);
    }),
  );
});
