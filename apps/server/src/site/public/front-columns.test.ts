import { expect, test } from 'vitest';

import type { Section } from './front-columns.ts';
import { fillColumns, linesOf } from './front-columns.ts';
import { headline } from './headline.ts';

const section = (name: string, height: number): Section => ({
  heights: { left: height, right: height },
  render: (place) => `${name} ${place};`,
});

test('a section fills the shorter column, and spans the page where it would make the columns less even', () => {
  const filled = fillColumns({ left: 300, right: 700 }, [section('daily', 350), section('corrections', 200)]);
  expect(filled).toEqual({ left: 'daily left;', right: '', below: 'corrections below;' });
});

test('a Chinese character is as wide as two Latin ones', () => {
  expect([
    linesOf('abcd', 4),
    linesOf('abcde', 4),
    linesOf('模型', 4),
    linesOf('模型x', 4),
    linesOf('', 4),
  ]).toEqual([1, 2, 1, 2, 1]);
});

test('a Chinese headline may break between words alone, an English one as any text', () => {
  expect(headline('Moheng <opens> a model')).toBe('Moheng &#60;opens&#62; a model');
  const words = headline('研究院开源规划模型');
  expect(words).toContain('<wbr />');
  expect(words.replaceAll(/<[^>]*>/g, '')).toBe('研究院开源规划模型');
  expect(words).toContain('研究院<wbr />');
  expect(headline('《模型》，发布')).not.toMatch(/<wbr \/>[，》]/u);
});
