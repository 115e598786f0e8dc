import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Id } from './ids.ts';
import { createIdSource } from './ids.ts';
import { epochMicroseconds } from './instant.ts';

const clock = createTestClock('2026-11-15T00:00:00.000Z');
const anyInstant = fc
  .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  .map(epochMicroseconds);
const ids = createIdSource({ clock, randomBytes });
const anyPosition = anyInstant.map((key) => ({ key, id: ids.next<'item'>() }));
const anyQuery = fc.record({
  mode: fc.constantFrom('selected', 'all'),
  q: fc.option(fc.string({ unit: 'grapheme' })),
});

const query = { mode: 'selected', category: null, window: '7d', by: 'timeline', q: null };
const position = { key: clock.now(), id: ids.next<'item'>() };
const cursor = encodeCursor(position, query);
const bytes = Buffer.from(cursor, 'base64url');
const withByte = (at: number, value: number): string => {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed.toString('base64url');
};

test('round-trips a position exactly, to the microsecond', () => {
  fc.assert(
    fc.property(anyPosition, anyQuery, (one, asked) => {
      expect(decodeCursor(encodeCursor(one, asked), asked)).toEqual({ ok: true, value: one });
    }),
  );
});

test('encodes a cursor to the bytes that clients already store', () => {
  const id = '01980000-0000-7000-8000-00000000abcd' as Id<'item'>;
  const encoded = [1_794_700_800_123_456n, -1n].map((key) =>
    encodeCursor({ key: epochMicroseconds(key), id }, { mode: 'all', q: '中' }),
  );
  expect(encoded).toEqual([
    'AQAGYEVXq2JAgZlzmCeoa7gLY10OQkia_wGYAAAAAHAAgAAAAAAAq80',
    'Af__________gZlzmCeoa7gLY10OQkia_wGYAAAAAHAAgAAAAAAAq80',
  ]);
});

test('gives positions at equal microseconds different cursors', () => {
  expect(encodeCursor({ ...position, id: ids.next() }, query)).not.toBe(cursor);
});

test('accepts the cursor for the same query with its parameters in another order', () => {
  const turned = Object.fromEntries(Object.entries(query).reverse());
  expect(decodeCursor(cursor, turned)).toEqual({ ok: true, value: position });
});

test('reports the cursor as foreign for any other query', () => {
  fc.assert(
    fc.property(anyPosition, anyQuery, anyQuery, (one, asked, other) => {
      fc.pre(JSON.stringify(asked) !== JSON.stringify(other));
      expect(decodeCursor(encodeCursor(one, asked), other)).toEqual({ ok: false, reason: 'foreign' });
    }),
  );
});

test('contains no time of issue', () => {
  clock.advance({ hours: 5 });
  expect(encodeCursor(position, query)).toBe(cursor);
});

describe('malformed', () => {
  test.each([
    ['empty', ''],
    ['cut short', cursor.slice(0, -1)],
    ['longer', `${cursor}A`],
    ['padded', `${cursor}=`],
    ['of another alphabet', `+${cursor.slice(1)}`],
    ['with white space', ` ${cursor.slice(1)}`],
    ['with spare bits set', `${cursor.slice(0, -1)}${nextLetter(cursor.slice(-1))}`],
    ['of another version', withByte(0, 2)],
    ['with a key outside the calendar', withByte(1, 0x7f)],
    ['with an id of another kind of UUID', withByte(31, 0x40)],
    ['enormous', 'A'.repeat(1_000_000)],
  ])('a cursor %s', (_name, text) => {
    expect(decodeCursor(text, query)).toEqual({ ok: false, reason: 'malformed' });
  });

  test('accepts only the canonical spelling', () => {
    const near = fc
      .tuple(fc.nat(cursor.length - 1), fc.constantFrom(...'ABCz019-_+/= .\u00e9'.split('')))
      .map(([at, letter]) => cursor.slice(0, at) + letter + cursor.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const decoded = decodeCursor(text, query);
        expect(decoded.ok ? encodeCursor(decoded.value, query) : text).toBe(text);
      }),
    );
  });
});

function nextLetter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
