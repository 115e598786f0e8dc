import { expect, test } from 'vitest';

import { isReadableName, readableNamePattern, untrimmedNamePattern } from './readable-name.ts';

test.each(['Ada', 'Ada Lovelace', '阿达', 'Zoë 😀', 'a', '!', 'nightly build (2)'])(
  'accepts %j as a name',
  (name) => {
    expect(isReadableName(name)).toBe(true);
  },
);

/** From the Unicode Standard, annex 9: characters that change the direction of following text. */
const bidiControls =
  '\u061C \u200E \u200F \u202A \u202B \u202C \u202D \u202E \u2066 \u2067 \u2068 \u2069'.split(' ');

test.each([
  ...bidiControls,
  '\0',
  '\t',
  '\n',
  '\r',
  '\u001B',
  '\u007F',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u200B',
])('refuses %j anywhere in a name', (character) => {
  for (const name of [character, `${character}Ada`, `A${character}da`, `Ada${character}`]) {
    expect(isReadableName(name)).toBe(false);
    expect(new RegExp(untrimmedNamePattern, 'u').test(name)).toBe(false);
  }
});

test('refuses blanks at the ends, or leaves them to a caller that trims', () => {
  for (const name of [' Ada', 'Ada ', '  Ada  ']) {
    expect(new RegExp(readableNamePattern, 'u').test(name)).toBe(false);
    expect(new RegExp(untrimmedNamePattern, 'u').test(name)).toBe(true);
  }
  for (const nothing of ['', ' ', '   ']) {
    expect(isReadableName(nothing)).toBe(false);
    expect(new RegExp(untrimmedNamePattern, 'u').test(nothing)).toBe(false);
  }
});
