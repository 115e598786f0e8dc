import { expect, test } from 'vitest';

import { hanWords } from './han-text.ts';

const wordsOf = (text: string): string[] => hanWords(text).map((word) => word.text);

test('Chinese text is split into words of the dictionary, and unknown characters remain single', () => {
  expect(wordsOf('公司发布新模型')).toEqual(['公司', '发布', '新', '模型']);
  expect(wordsOf('开展逆回购操作')).toEqual(['开展', '逆', '回购', '操作']);
  expect(wordsOf('沐曦')).toEqual(['沐', '曦']);
});

test('words and numbers of other scripts are one word each, and every character is in one word', () => {
  const text = 'OpenAI 的 GPT-5.5 用了 1,200 块 H200 芯片。';
  expect(wordsOf(text)).toContain('OpenAI');
  expect(wordsOf(text)).toContain('1,200');
  expect(wordsOf(text)).toContain('H200');
  expect(wordsOf(text).join('')).toBe(text);
  for (const { text: word, start } of hanWords(text))
    expect(text.slice(start, start + word.length)).toBe(word);
});
