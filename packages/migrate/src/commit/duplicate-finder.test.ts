import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { DuplicateFinder } from './duplicate-finder.ts';

it('finds exactly the patterns that are substrings', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '思'), maxLength: 60 });
  fc.assert(
    fc.property(
      letters,
      fc.array(letters, { maxLength: 8 }),
      fc.nat(40),
      fc.nat(40),
      (text, others, from, length) => {
        const patterns = [...others, text.slice(from, from + length)].map((pattern, at) => ({
          id: `${at}`,
          text: pattern,
        }));
        const expected = patterns.filter(({ text: pattern }) => pattern !== '' && text.includes(pattern));
        expect([...new DuplicateFinder(patterns).find(text)].sort()).toEqual(
          expected.map(({ id }) => id).sort(),
        );
      },
    ),
    { numRuns: 1000 },
  );
});
