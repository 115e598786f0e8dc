import { describe, expect, test } from 'vitest';

import { findPassages } from './found-passages.ts';

const filler = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Paragraph ${at} says nothing of interest to anyone.`).join('\n');
const wanted = 'Quendale spent €1.7 million on servers in October.';
const wordsOf = (words: readonly string[]) => words.map((word) => ({ forms: [word] }));
const shown = (text: string, words: readonly string[]): string =>
  findPassages(text, wordsOf(words))
    .map(({ start, end }) => text.slice(start, end))
    .join('');

describe('the passages of a text', () => {
  test('are all of a short text', () => {
    expect(findPassages('Short.', wordsOf(['other']))).toEqual([{ start: 0, end: 6 }]);
  });

  test('are the beginning and the lines with most of the words, in order, of a long one', () => {
    const text = `The subject.\n${filler(2_000)}\n${wanted}\n${filler(2_000)}\nQuendale again.\n${filler(500)}`;
    const found = shown(text, ['quendale', 'servers', 'nothing']);
    expect(found.startsWith('The subject.')).toBe(true);
    expect(found).toContain(wanted);
    expect(found.indexOf(wanted)).toBeLessThan(found.indexOf('Quendale again.'));
    expect(found.length).toBeLessThan(8_000);
  });

  test('begin and end between sentences of a line without breaks', () => {
    const text = `${'A sentence of no interest at all. '.repeat(2_000)}${wanted} ${'And more. '.repeat(2_000)}`;
    const passages = findPassages(text, wordsOf(['Quendale']));
    expect(shown(text, ['Quendale'])).toContain(wanted);
    for (const { start, end } of passages) {
      expect(text.slice(0, start).trimEnd()).toMatch(/\.$|^$/u);
      expect(text.slice(0, end).trimEnd()).toMatch(/\.$/u);
    }
  });

  test('of a megabyte are found in less than a quarter of a second', () => {
    const text = `${filler(20_000)}\n${wanted}`.slice(-1_000_000);
    const startedAt = performance.now();
    expect(shown(text, ['Quendale', 'servers', 'paragraph', 'nothing', 'interest'])).toContain(wanted);
    expect(performance.now() - startedAt).toBeLessThan(250);
  });
});
