import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { cellsOf, column, printable, wrapped } from './terminal-text.ts';

const words = fc
  .array(fc.constantFrom('模', '型', 'word', ' ', 'a', '，', '🤖', 'e\u0301', 'ＡＩ'), { maxLength: 40 })
  .map((parts) => parts.join(''));

it('a column takes exactly its cells', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 30 }), (text, cells) => {
      const made = column(text, cells);
      expect(cellsOf(made) === cells || (cellsOf(text) > cells && cellsOf(made) <= cells)).toBe(true);
    }),
  );
});

it('wrapped lines fit and lose only spaces', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 40 }), (text, cells) => {
      const lines = wrapped(text, cells);
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      for (const line of lines)
        expect(cellsOf(line) <= cells || !/[\s\p{Script=Han}]/u.test(line)).toBe(true);
    }),
  );
});

it('printable text is one line without control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    }),
  );
});
