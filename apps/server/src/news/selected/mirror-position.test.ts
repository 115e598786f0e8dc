import { expect, test } from 'vitest';

import { decodePlace, decodePosition, encodePlace, encodePosition } from './mirror-position.ts';

const head = { epoch: '0b0c0d0e-1234-4abc-9def-0123456789ab', position: 42n };
const place = {
  head,
  asOfMicroseconds: 1_794_700_800_123_456n,
  afterId: '01980000-0000-7000-8000-00000000abcd',
};
const cursor = 'AQsMDQ4SNEq8ne8BI0VniasAAAAAAAAAKg';
const page = 'AQsMDQ4SNEq8ne8BI0VniasAAAAAAAAAKgAGYEVXq2JAAZgAAAAAcACAAAAAAACrzQ';

test('positions and places have the same bytes as in existing mirrors and are parsed exactly', () => {
  expect([encodePosition(head), encodePlace(place)]).toEqual([cursor, page]);
  expect([decodePosition(cursor), decodePlace(page)]).toEqual([
    { ok: true, value: head },
    { ok: true, value: place },
  ]);
});

test.each([
  ['empty', ''],
  ['cut short', cursor.slice(0, -2)],
  ['padded', `${cursor}=`],
  ['of another version', `Ag${cursor.slice(2)}`],
  ['of the other kind', page],
  ['enormous', 'A'.repeat(1_000_000)],
])('a position that is %s is refused', (_name, text) => {
  expect(decodePosition(text)).toEqual({ ok: false, reason: 'malformed' });
});
