import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findNumerals, hanValue } from './numerals.ts';

const values = (text: string): number[] => findNumerals(text).map(({ value }) => value);

describe('spellings of one value', () => {
  test.each([
    ['$1.2 billion', 1.2e9],
    ['1.2bn', 1.2e9],
    ['$1.2B', 1.2e9],
    ['1,200 million', 1.2e9],
    ['12 亿', 1.2e9],
    ['十二亿', 1.2e9],
    ['120000 万', 1.2e9],
    ['0.0012 万亿', 1.2e9],
    ['twenty-five', 25],
    ['two hundred and six', 206],
    ['three million', 3e6],
    ['half a million', 5e5],
    ['两千三百', 2300],
    ['三万五千', 35_000],
    ['一百零五', 105],
    ['1.5万', 15_000],
    ['405B', 4.05e11],
    ['12K', 12_000],
    ['£38m', 3.8e7],
  ])('%s', (text, value) => expect(values(text)).toEqual([value]));

  test('a value is preserved when written in Chinese digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 99_999_999 }), (value) => {
        expect(hanValue(inHan(value))).toBe(value);
      }),
    );
  });
});

describe('text that only looks like a number is not read as one', () => {
  test.each([
    'GPT-5.5',
    'H200',
    '百度和千问',
    '统一',
    '万一',
    'one of them',
    'thousands of people',
    '数十家',
    '第三',
    '一些',
    '三星',
  ])('%s', (text) => expect(values(text)).toEqual([]));
});

test('a comma between Chinese clauses does not join two numbers', () => {
  expect(values('分别为 3 , 200 万')).toEqual([3, 2_000_000]);
});

/** The standard form: sections of ten thousand, zeros between. */
function inHan(value: number): string {
  const section = (part: number): string => {
    const digits = String(part).split('');
    let text = '';
    digits.forEach((digit, at) => {
      const place = digits.length - 1 - at;
      if (digit === '0') text = text.endsWith('零') ? text : `${text}零`;
      else text += `${'零一二三四五六七八九'[Number(digit)] ?? ''}${['', '十', '百', '千'][place] ?? ''}`;
    });
    return text.replace(/零+$/u, '');
  };
  const [high, low] = [Math.floor(value / 10_000), value % 10_000];
  if (high === 0) return section(low);
  if (low === 0) return `${section(high)}万`;
  return `${section(high)}万${low < 1000 ? '零' : ''}${section(low)}`;
}
