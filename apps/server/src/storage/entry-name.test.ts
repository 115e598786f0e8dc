import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { EntryName } from './entry-name.ts';
import { foldName, numberedName, parseEntryName, searchTermsOf } from './entry-name.ts';

test.each([
  ['', 'empty'],
  ['.', 'a-path'],
  ['..', 'a-path'],
  ['a/b', 'a-path'],
  ['..\\b', 'a-path'],
  ['a\0b', 'control'],
  ['a\nb', 'control'],
  ['a\uFFFFb', 'control'],
  [' a', 'blank-ends'],
  ['a ', 'blank-ends'],
  ['\u2800', 'blank-ends'],
  ['\u202Etxt.exe', 'direction'],
  ['a\u200B', 'invisible'],
  ['pay\u200Dpal', 'invisible'],
  ['نامه\u200C', 'invisible'],
  ['\u3164', 'invisible'],
  ['a\uFE0F', 'invisible'],
  ['\u0301a', 'marks'],
  [`e${'\u0323'.repeat(12)}`, 'marks'],
  ['x'.repeat(256), 'too-long'],
  ['界'.repeat(86), 'too-long'],
])('refuses %j: %s', (text, fault) => {
  expect(parseEntryName(text)).toEqual({ ok: false, reason: fault });
});

test.each([
  'می\u200Cخواهم.txt',
  'क्\u200Dष',
  'ශ්\u200Dරී',
  '👨\u200D👩\u200D👧 2026',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  '1️⃣',
  '葛\u{E0100}城',
  '⠓⠊⠀⠽⠕⠥',
  'CON',
  'notes.txt',
  '会议记录.md',
  'x'.repeat(255),
  '%2e%2e',
  '-rf',
  '…',
])('accepts %s', (text) => {
  expect(parseEntryName(text).ok).toBe(true);
});

test.each([
  ['Straße', 'STRASSE'],
  ['ΣΑΣ', 'σας'],
  ['Cafe\u0301', 'CAFÉ'],
  ['می\u200Cخواهم', 'میخواهم'],
  ['❤️', '❤'],
])('treats %s and %s as one name', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

function fold(text: string): string {
  const name = parseEntryName(text);
  if (!name.ok) throw new Error(name.reason);
  return foldName(name.value);
}

test('returns a valid and different name when it adds a number', () => {
  const names = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 255 })
    .map(parseEntryName)
    .filter((parsed) => parsed.ok)
    .map(({ value }) => value);
  fc.assert(
    fc.property(names, fc.integer({ min: 2, max: 10_000 }), (name: EntryName, number) => {
      const numbered = numberedName(name, number);
      expect(parseEntryName(numbered)).toEqual({ ok: true, value: numbered });
      expect(numbered).not.toBe(name);
    }),
  );
  expect(numberedName('notes.txt' as EntryName, 2)).toBe('notes (2).txt');
  expect(numberedName('.profile' as EntryName, 3)).toBe('.profile (3)');
});

test.each([
  ['  Straße  2026 strasse', ['strasse', '2026']],
  ['e\u0301', ['é']],
  [' ', null],
  ['a\0', null],
])('searches %j as %j', (text, terms) => {
  expect(searchTermsOf(text)).toEqual(terms);
});
