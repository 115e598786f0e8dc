import { describe, expect, test } from 'vitest';

import { checkSentence } from './check-sentence.ts';
import type { FindingKind } from './finding.ts';
import type { SourceOptions } from './source.ts';
import { readSource } from './source.ts';

function findings(sentence: string, source: string, options?: SourceOptions): string[] {
  return checkSentence(sentence, [readSource(source, options)]).map(({ kind, text }) => `${kind} ${text}`);
}

function kinds(sentence: string, source: string, options?: SourceOptions): FindingKind[] {
  return checkSentence(sentence, [readSource(source, options)]).map(({ kind }) => kind);
}

const funding =
  'Veltrane has raised $1.2 billion in a Series B round led by Ninth Ferry Partners, the company said on Thursday. ' +
  'Sam Okonjola, its chief executive, said: “We would rather be late than wrong.” The outage of Opus 4.8 lasted 2 hours. ' +
  'Rafferty Moor did not comment. The company employs about 1,630 people.';

describe('a sentence that its source supports', () => {
  test.each([
    'Ninth Ferry Partners leads a round of 1.2 billion dollars for Veltrane.',
    'Veltrane raised US$1,200 million.',
    'The chief executive, Okonjola, said: "We would rather be late than wrong".',
    'Opus 4.8 was out for 120 minutes.',
    'Veltrane has more than 1,600 employees.',
    'Moor declined to comment.',
    'Investors gave Veltrane money on Thursday.',
  ])('has no findings: %s', (sentence) => expect(findings(sentence, funding)).toEqual([]));

  test('may be in Chinese, with unchanged names', () => {
    expect(findings('Veltrane 完成 B 轮融资，金额 12 亿美元，Opus 4.8 中断 2 小时。', funding)).toEqual([]);
  });

  test('may state a rounded value only if it says so', () => {
    expect(kinds('Veltrane has 1,600 employees.', funding)).toEqual(['number']);
    expect(kinds('Veltrane has fewer than 1,600 employees.', funding)).toEqual(['number']);
  });
});

describe('a single false value is found and reported with its kind', () => {
  test.each<[FindingKind, string]>([
    ['number', 'Veltrane has raised $1.3 billion in a Series B round.'],
    ['unit', 'Veltrane has raised €1.2 billion in a Series B round.'],
    ['unit', 'The outage of Opus 4.8 lasted 2 days.'],
    ['name', 'Halvoric has raised $1.2 billion in a Series B round.'],
    ['name', 'Rafferty Okonjola spoke of $1.2 billion.'],
    ['version', 'The outage of Opus 4.7 lasted 2 hours.'],
    ['date', 'The company said so on Friday.'],
    ['quotation', 'Okonjola said: “We would rather be early than wrong.”'],
    ['negation', 'Veltrane has not raised $1.2 billion in a Series B round led by Ninth Ferry Partners.'],
  ])('%s: %s', (kind, sentence) => expect(kinds(sentence, funding)).toContain(kind));
});

describe('Chinese', () => {
  const report =
    '奥斯特兰周三宣布完成 D 轮融资，金额 13.8 亿美元，由谷语资本领投。首席执行官司徒星野表示：“艰难的工作现在才开始。”公司尚未公布财务数据。';

  test.each([
    '谷语资本领投，奥斯特兰获 138000 万美元融资。',
    '司徒星野称，“艰难的工作现在才开始”。',
    '奥斯特兰目前没有公布财务数据。',
  ])('true: %s', (sentence) => expect(findings(sentence, report)).toEqual([]));

  test.each<[FindingKind, string]>([
    ['name', '凯斯特兰宣布完成 D 轮融资。'],
    ['name', '司徒临风表示，工作才开始。'],
    ['name', '由朔望资本领投。'],
    ['number', '金额 13.9 亿美元。'],
    ['number', '金额 13.8 万美元。'],
    ['unit', '金额 13.8 亿欧元。'],
    ['date', '奥斯特兰周四宣布完成融资。'],
    ['quotation', '司徒星野表示：“轻松的工作现在才开始。”'],
    ['negation', '奥斯特兰公司已经公布财务数据。'],
  ])('%s: %s', (kind, sentence) => expect(kinds(sentence, report)).toContain(kind));

  test('a traditional source supports a simplified amount', () => {
    expect(findings('金额 3 亿欧元，历时两个小时。', '金額3億歐元，歷時兩個小時。')).not.toContain(
      'number 3 亿欧元',
    );
  });
});

describe('cited sources', () => {
  test('may support a sentence together, and an item that is not cited supports nothing', () => {
    const [one, other] = [readSource('Veltrane raised $5 million.'), readSource('Halvoric cut 70 jobs.')];
    const sentence = 'Veltrane raised $5 million while Halvoric cut 70 jobs.';
    expect(checkSentence(sentence, [one, other])).toEqual([]);
    expect(checkSentence(sentence, [one]).map(({ kind }) => kind)).toEqual(['number', 'name']);
  });

  test('are required: a sentence without citations is not supported', () => {
    expect(checkSentence('Veltrane raised $5 million.', []).length).toBeGreaterThan(0);
  });

  test('support other names of the same entity, and no unrelated names', () => {
    const options = {
      aliases: [
        ['Veltrane', '维尔川'],
        ['Halvoric', '哈沃里克'],
      ],
    };
    expect(kinds('维尔川融资 500 万美元。', 'Veltrane raised $5 million.', options)).toEqual([]);
    expect(kinds('哈沃里克融资 500 万美元。', 'Veltrane raised $5 million.', options)).toContain('name');
  });

  test('determine by their day of publication which Tuesday is meant', () => {
    const published = Temporal.PlainDate.from('2026-05-14');
    const text = 'The court ruled on Tuesday.';
    expect(kinds('The court ruled on May 12, 2026.', text, { published })).toEqual([]);
    expect(kinds('The court ruled on May 13.', text, { published })).toEqual(['date']);
    expect(kinds('The court ruled on May 12.', text)).toEqual(['date']);
  });
});

test('do not support a quantity by a product number, or a product number by a quantity', () => {
  const source = 'GPT-5.5 answers 12 percent faster than GPT-5.';
  expect(kinds('GPT-12 is faster.', source)).toContain('version');
  expect(kinds('It is 5.5 percent faster.', source)).toEqual(['number']);
  expect(kinds('GPT-5 is slower than GPT-5.5.', source)).toEqual([]);
});

test('support each of their own sentences, whatever the text', () => {
  const odd = [
    '4K at 60fps on a 16-inch MacBook Pro; 5 a.m. (0500 GMT), 24-17, 787-9, 3–5 %, £71.6million — “no.”',
    '上海 5 月 12 日电：2026 年第一季度，A 股三千点。',
    "O'Brien's iPhone 17, U.S. v. Smith, No. 5, C++ and R&D at AT&T",
  ];
  for (const text of odd) expect(findings(text, text)).toEqual([]);
});
