import { expect, test } from 'vitest';

import { checkQuotes } from './quotes.ts';

const quotes = [
  { spans: ['Veltrane has raised $1.2 billion, led by Ninth Ferry Partners.'], sourceName: 'The Post' },
  { spans: ['The round closed on 12 May 2026.'], sourceName: 'Harbour News' },
];

test('each fact of a sentence has the quotes that contain it', () => {
  const { findings, facts } = checkQuotes('Veltrane raised 1.2 billion dollars on May 12, 2026.', quotes);
  expect(findings).toEqual([]);
  expect(facts).toEqual([
    { kind: 'name', text: 'veltrane', quotes: [0] },
    { kind: 'number', text: '1.2 billion dollars', quotes: [0] },
    { kind: 'date', text: 'May 12, 2026', quotes: [1] },
  ]);
});

test('a fact that no quote contains is a finding without a quote', () => {
  const { findings, facts } = checkQuotes('Veltrane raised $2.1 billion.', quotes);
  expect(findings).toMatchObject([{ kind: 'number' }]);
  expect(facts.find(({ kind }) => kind === 'number')?.quotes).toEqual([]);
});

test('Chinese names and amounts are found in quotes of either language', () => {
  const { findings, facts } = checkQuotes('沐曦融资12亿元。', [
    { spans: ['沐曦完成 1.2 billion yuan 融资。'], sourceName: '港湾新闻' },
  ]);
  expect(findings).toEqual([]);
  expect(facts.map(({ quotes: found }) => found)).toEqual(facts.map(() => [0]));
});
