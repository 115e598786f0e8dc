import fc from 'fast-check';
import { expect, test } from 'vitest';

import { BadParameter, parseQueryString } from './query-string.ts';

test('reads back the output of URLSearchParams', () => {
  const parameters = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), {
    selector: ([name]) => name,
    maxLength: 50,
  });
  fc.assert(
    fc.property(parameters, (pairs) => {
      const wellFormed = pairs.filter(([name, value]) => name.isWellFormed() && value.isWellFormed());
      const read = parseQueryString(new URLSearchParams(wellFormed).toString());
      expect(new Map(Object.entries(read))).toEqual(new Map(wellFormed));
    }),
  );
});

test('never throws, and every value is a string or a reason', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '+', '2', '0', 'F', '\0') }),
      (text) => {
        for (const value of Object.values(parseQueryString(text)))
          expect(typeof value === 'string' || value instanceof BadParameter).toBe(true);
      },
    ),
  );
});

test('never reads a repeated name as one of its values', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.webQueryParameters(), (first, second) => {
      const pair = (value: string): string => `name=${encodeURIComponent(value)}`;
      expect(parseQueryString(`${pair(first)}&${pair(second)}`)['name']).toBeInstanceOf(BadParameter);
    }),
  );
});
