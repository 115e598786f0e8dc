import { expect, test } from 'vitest';

import { checkCatalogues } from '../../../../test/catalogue-check.ts';
import { chineseMail } from './chinese.ts';
import { englishMail } from './english.ts';
import { filled } from './mail-words.ts';

checkCatalogues({ english: englishMail, chinese: chineseMail }, ['agents', 'identity', 'mailing', 'watch']);

test('a value cannot insert another value', () => {
  expect(filled('{sender} invites you: {link}', { sender: '{link}', link: 'L' })).toBe(
    '{link} invites you: L',
  );
});

test('a text without its value is not sent', () => {
  expect(() => filled('Your code is {code}', {})).toThrow('no value for {code}');
});
