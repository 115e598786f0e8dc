import fc from 'fast-check';
import { expect, test } from 'vitest';

import { splitSentences } from './sentences.ts';

test.each([
  ['Mr. Smith of the U.S. spoke. He left.', 2],
  ['It costs $6.99 a month. “Why?” she asked.', 2],
  ['“We are late.” Then nothing.', 2],
  ['Version 2.1 is out! Is it good?', 2],
  ['George R.R. Martin wrote to P.O. Box 7.', 1],
  ['Yahoo! News and E! Online reported it. They were right!', 2],
  ['J. R. Smith and Acme Inc. agreed e.g. on this.', 1],
  ['他说：“好。”然后走了。她没有。', 3],
  ['“工作才开始。”他说。', 1],
  ['第一句。第二句！第三句？', 3],
  ['她说：“都错了。 ”然后离开。', 2],
  ['差距为 8.5 个百分点。OpenTerrace 由一个团队维护。3 月公布！GPT-5.5 第二。', 4],
  ['他在《谁赢了？》一书中说明（第二章！），结果不变。', 1],
  ['As shown this week, the VW ID. Buzz is long.', 1],
  ['A title without an end\nA second line', 2],
])('%s', (text, count) => expect(splitSentences(text)).toHaveLength(count));

test('splitting loses, adds and moves no character', () => {
  const piece = fc.constantFrom(
    'Mr. ',
    'Hello',
    ' ',
    '.',
    '!',
    '。',
    '“',
    '”',
    '5.5',
    '\n',
    '他说',
    'A',
    'b',
    '?',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      expect(splitSentences(text).join('').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
    }),
  );
});

test('rows of marks take no longer than other text', () => {
  const row = `${'.'.repeat(400_000)}x`;
  expect(splitSentences(row)).toEqual([row]);
});
