import { describe, expect, test } from 'vitest';

import { rateLine, rateOf } from '../../foundation/evaluation/rate.ts';
import { evaluateClaims } from './evaluate-claims.ts';
import { evaluateCopy } from './evaluate-copy.ts';
import { evaluateSelection } from './evaluate-selection.ts';
import { pairwiseAuc, precisionAtEditorsRate, sweepChart, sweepThresholds } from './selection-figures.ts';

describe('an evaluation of the selection', () => {
  const labelled = [
    { score: 80, selected: true },
    { score: 60, selected: false },
    { score: 60, selected: true },
    { score: 20, selected: false },
  ];

  test('sweeps the threshold and counts ties half', () => {
    expect(sweepThresholds(labelled)[60]).toEqual({ threshold: 60, chosen: 3, precision: 2 / 3, recall: 1 });
    expect(pairwiseAuc([labelled])).toEqual({ auc: 3.5 / 4, pairs: 4 });
    expect(precisionAtEditorsRate(labelled)).toBe(0.75);
    expect(pairwiseAuc([[]])).toBeNull();
  });

  test('draws its chart', () => {
    expect(sweepChart(sweepThresholds(labelled))).toMatch(/^<svg [\s\S]+<polyline[\s\S]+<\/svg>\n$/u);
  });

  test('reads a labelled file and reports the line with an error', () => {
    const good =
      '{"title":"OpenAI releases GPT-7","selected":true}\n\n{"title":"Why?","selected":false,"tier":4}\n';
    expect(evaluateSelection(good)).toMatchObject({ items: 2, selected: 1, auc: 1 });
    expect(() => evaluateSelection(`${good}{"title":3}`)).toThrow('line 4 needs "title" (text)');
    expect(() => evaluateSelection('nope')).toThrow('line 1 is not JSON');
    expect(() => evaluateSelection('{"title":"a","selected":true,"tier":9}')).toThrow('"tier" must be');
    expect(() => evaluateSelection('{"title":"a","selected":1}')).toThrow('"selected" must be');
  });

  test('compares relevance, kind and the order within a source and day if the rows have these labels', () => {
    const rows = [
      { title: 'OpenAI releases GPT-7, a language model', kind: 'news', aiIndustry: true, selected: true },
      {
        title: 'How to use a language model, step by step',
        kind: 'tutorial',
        aiIndustry: true,
        selected: false,
      },
      {
        title: 'Families of beavers are released into a river',
        kind: 'news',
        aiIndustry: false,
        selected: false,
      },
    ].map((row) => JSON.stringify({ ...row, source: 's', day: '2026-11-02' }));
    const { rates, relevanceF1, aucWithinGroups } = evaluateSelection(rows.join('\n'));
    expect(relevanceF1).toBe(1);
    expect(aucWithinGroups).toMatchObject({ auc: 1, pairs: 2 });
    const counts = Object.fromEntries(rates.map(({ name, count, of }) => [name, `${count}/${of}`]));
    expect(counts).toMatchObject({
      'judged to be about the AI industry that are (precision)': '2/2',
      'about the AI industry that are judged to be (recall)': '2/2',
      'about the AI industry that would be declined': '0/2',
      'kinds that are right': '3/3',
    });
  });
});

describe('an evaluation of claims', () => {
  const articles = JSON.stringify({
    id: 'a',
    title: 'Harbor raises money',
    text: 'Harbor raised 40 million dollars on Monday. Its revenue was 3 million dollars.',
    publishedAt: '2026-11-02',
  });
  const claim = (id: string, sentence: string, isTrue: boolean, twin?: string): string =>
    JSON.stringify({
      id,
      class: isTrue ? 'true' : 'number',
      language: 'en',
      articles: ['a'],
      sentence,
      true: isTrue,
      twin,
    });
  const rateNamed = (lines: readonly string[], name: string): string | undefined => {
    const rate = evaluateClaims(lines.join('\n'), articles).rates.find((one) => one.name === name);
    return rate && `${rate.count} of ${rate.of}`;
  };

  test('counts an error as caught only if its true twin passes', () => {
    const caught = 'errors caught, true twin passes';
    const truth = claim('t', 'Harbor raised 40 million dollars.', true);
    const error = claim('e', 'Harbor raised 60 million dollars.', false, 't');
    expect(rateNamed([truth, error], caught)).toBe('1 of 1');
    expect(rateNamed([truth, error], 'true sentences refused')).toBe('0 of 1');
    const refusedTruth = claim('t', 'Harbor raised 41 million dollars.', true);
    expect(rateNamed([refusedTruth, error], caught)).toBe('0 of 1');
    expect(rateNamed([refusedTruth, error], 'true sentences refused')).toBe('1 of 1');
  });

  test('reports a claim that cites an unknown article', () => {
    const unknown = JSON.stringify({ id: 'e', class: 'true', sentence: 'x', true: true, articles: ['b'] });
    expect(() => evaluateClaims(unknown, articles)).toThrow('e cites the article b');
  });
});

describe('an evaluation of copy', () => {
  const lead =
    'Harbor raised 40 million dollars from Larkfield on Monday to build three new data centers in Norway.';
  const more =
    'The company said that it will hire two hundred engineers in Oslo and Bergen before the end of next year, and that its first data center opens in March.';
  const row = {
    id: 'p',
    page: 'p.html',
    url: 'https://news.example/harbor',
    language: 'en',
    rawTitle: 'Harbor raises 40 million dollars | The Example',
    title: 'Harbor raises 40 million dollars',
    facts: ['Harbor raised 40 million dollars from Larkfield', 'opens in April'],
    notFromHere: ['hire two hundred engineers'],
  };
  const html = (site: string): string =>
    `<html><head><title>${row.rawTitle}</title><meta property="og:site_name" content="${site}"></head><body><article><h1>${row.title}</h1><p>${lead}</p><p>${more}</p></article></body></html>`;

  test('compares title and summary with the labels', () => {
    const { pages, rates, meanFactShare } = evaluateCopy(JSON.stringify(row), () => html('The Example'));
    expect(pages[0]).toMatchObject({
      hasExactTitle: true,
      hasTitleWithMore: false,
      forbidden: row.notFromHere,
      beginsWithDateline: false,
      statesMainFact: true,
      factShare: 0.5,
    });
    expect(meanFactShare).toBe(0.5);
    expect(rates.find(({ name }) => name === 'summaries with it and without a fault')?.count).toBe(0);
  });
});

describe('a rate', () => {
  test('has an interval inside 0 and 1 that contains its share', () => {
    expect(rateOf('r', 6, 120)).toMatchObject({
      share: 0.05,
      low: expect.closeTo(0.023, 3),
      high: expect.closeTo(0.105, 3),
    });
    expect(rateOf('r', 0, 10).low).toBe(0);
    expect(rateLine(rateOf('r', 5, 10))).toBe(' 50.0 %  (23.7–76.3)        5/10  r');
  });
});
