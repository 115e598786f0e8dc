import { assert, constantFrom, integer, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';

import { codeOf, keyOf, openCode, parseKey, placeOf, sealCode } from './dispatch-code.ts';

const hour = integer({ min: 0, max: 2 ** 19 - 1 });
const nth = integer({ min: 0, max: 2 ** 21 - 1 });
const place = oneof(
  record({
    type: constantFrom('story' as const),
    hour,
    nth,
    story: integer({ min: 0, max: 7 }),
    index: integer({ min: 0, max: 127 }),
  }),
  record({ type: constantFrom('single' as const, 'roundup' as const), hour, nth }),
);

test('decodes key, code and sealed code to the place they were made from', () => {
  assert(
    property(place, integer(), (one, seed) => {
      const code = codeOf(one);
      expect(placeOf(code)).toEqual(one);
      expect(parseKey(keyOf(one))).toEqual(one);
      expect(sealCode(seed, code)).toMatch(/^[0-9a-z]{11}$/);
      expect(openCode(seed, sealCode(seed, code))).toBe(code);
    }),
  );
});

test('gives sealed codes of one story no common prefix or suffix', () => {
  const sealed = Array.from({ length: 100 }, (_, index) =>
    sealCode(5, codeOf({ type: 'story', hour: 100, nth: 1, story: 0, index })),
  );
  expect(new Set(sealed).size).toBe(100);
  expect(new Set(sealed.map((text) => text.slice(0, 4))).size).toBeGreaterThan(90);
  expect(new Set(sealed.map((text) => text.slice(-4))).size).toBeGreaterThan(60);
});

test('refuses codes that were never made', () => {
  for (const key of [
    '',
    'story',
    'story-0-0',
    'story-0-0-0',
    'alone-0',
    'alone-0-0-0-r1',
    'alone-zzzzz-0',
    'round-1-1x!',
  ])
    expect(parseKey(key)).toBeUndefined();
  for (const text of ['', 'short', 'UPPERCASE01', 'zzzzzzzzzzz']) expect(openCode(5, text)).toBeUndefined();
});
