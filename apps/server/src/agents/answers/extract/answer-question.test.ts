import { describe, expect, test } from 'vitest';

import { answerQuestion, shippedAnswerTools } from './answer-question.ts';
import { readDocument } from './source-document.ts';

const document = (id: string, title: string, text: string, day: string | null = '2026-11-12') =>
  readDocument({ kind: 'item', id, title, text, day });

const documents = [
  document(
    'results',
    'Veltrane reports third-quarter results',
    'Veltrane, a maker of accelerators, reported third-quarter revenue of $4.2 billion on Thursday. Net profit rose 12 percent to $610 million. Chief executive Mara Oduya said demand from data centres was strong. The company employs 8,400 people.',
  ),
  document(
    'plant',
    'Corvid Motors opens a battery plant in Leeds',
    'Corvid Motors opened a battery plant in Leeds on Monday. The plant will employ 1,900 people when it is complete. Construction cost 750 million pounds.',
  ),
  document(
    'zh',
    '北辰科技公布全年业绩',
    '北辰科技去年全年收入为86亿元，按年升12%。公司去年盈利为9.4亿元。行政总裁陈立言表示，今年将增聘300名员工。',
  ),
];

const ask = (text: string, before: string | null = null): string[] =>
  answerQuestion({ text, before, year: 2026 }, documents, shippedAnswerTools()).flatMap(({ sentences }) =>
    sentences.map(({ sentence }) => sentence.text),
  );

describe('an answer by quoting', () => {
  test.each([
    ["What was Veltrane's third-quarter revenue?", '$4.2 billion'],
    ['How many people will the Corvid Motors plant in Leeds employ?', '1,900'],
    ['北辰科技去年全年收入是多少？', '86亿元'],
    ['北辰科技的行政總裁是誰？', '陈立言'],
  ])('quotes the sentence that answers “%s”', (question, answer) => {
    expect(ask(question).join('\n')).toContain(answer);
  });

  test('quotes sentences of the documents without changing a character', () => {
    const texts = documents.map(({ source }) => `${source.title}\n${source.text}`).join('\n');
    const sentences = ask("What was Veltrane's third-quarter revenue?");
    expect(sentences).not.toEqual([]);
    expect(sentences.filter((sentence) => !texts.includes(sentence))).toEqual([]);
  });

  test('answers each part of a question', () => {
    const text = ask(
      "What was Veltrane's third-quarter revenue, and how many people will the Corvid Motors plant in Leeds employ?",
    ).join('\n');
    expect(text).toContain('$4.2 billion');
    expect(text).toContain('1,900 people');
  });

  test('reads a follow-up with the words of the question before it', () => {
    const before = "What was Veltrane's third-quarter revenue?";
    expect(ask('And how much did net profit rise?', before).join('\n')).toContain('12 percent');
  });

  test.each([
    ['another company', "What was Hollin Systems' third-quarter revenue?"],
    ['another subject', 'Who won the women’s marathon in Osaka?'],
    ['another quarter', '北辰科技今年第三季盈利是多少？'],
    ['a text without words', '???'],
  ])('refuses a question about %s', (_, question) => {
    expect(ask(question)).toEqual([]);
  });

  test('quotes a sentence that two documents share once', () => {
    const copies = [documents[0]!, document('copy', 'Results', documents[0]!.source.text)];
    const asked = { text: "What was Veltrane's third-quarter revenue?", before: null, year: 2026 };
    const sentences = answerQuestion(asked, copies, shippedAnswerTools()).flatMap((part) => part.sentences);
    const texts = sentences.map(({ sentence }) => sentence.text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.join('\n')).toContain('$4.2 billion');
  });
});
