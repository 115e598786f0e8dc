import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseJson } from './parse-json.ts';

test('reads what JSON.parse reads, up to the bound on depth', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('brackets in strings do not count', () => {
  const text = `\\"${'[{'.repeat(300)}`;
  expect(parseJson(`{"a":"${text}"}`)).toEqual({ a: `"${'[{'.repeat(300)}` });
});

test.each([
  ['deep', `${'['.repeat(201)}${']'.repeat(201)}`],
  ['deep and endless', '{"a":['.repeat(1_000_000)],
  ['malformed', '{"a":'],
  ['an endless string', `"${'\\"'.repeat(1_000_000)}`],
])('a document that is %s is undefined', (_, text) => {
  expect(parseJson(text)).toBeUndefined();
});

test('a document at the bound is read', () => {
  expect(parseJson(`${'['.repeat(200)}${']'.repeat(200)}`)).toBeDefined();
});
