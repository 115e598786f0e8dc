import { expect, test } from 'vitest';

import { parseExamples } from './example-set.ts';

test('parses a block as target, headings from the outermost, and the lines up to the next block', () => {
  expect(parseExamples('voice', '@BOOKS Reading > 2024\n- Emma\n- Persuasion\n@UNCLEAR\nok\n')).toEqual([
    {
      voice: 'voice',
      target: 'BOOKS',
      input: { headings: ['Reading', '2024'], text: '- Emma\n- Persuasion' },
    },
    { voice: 'voice', target: 'UNCLEAR', input: { headings: [], text: 'ok' } },
  ]);
});

test('stops the training at a misspelt target', () => {
  expect(() => parseExamples('voice', '@BOOK\nEmma\n')).toThrow('voice: unknown target BOOK');
});
