import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { cellsOf, column, printable, withoutControls, wrapped } from './terminal-text.ts';

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

it('an output keeps line breaks and its own colours, and nothing else that a terminal interprets', () => {
  const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\r\n\u001b[1mbold\u001b[22m\tend';
  expect(withoutControls(hostile, { isTerminal: true })).toBe(
    'a]0;titleb[2Jc31mde\n\u001b[1mbold\u001b[22m\tend',
  );
  const document = JSON.stringify({ name: '\u009b\u202e\u001b' });
  expect(withoutControls(document, { isTerminal: false })).toBe(document);
  expect(withoutControls('\u001b[2J', { isTerminal: false })).toBe('[2J');
});
