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

const ask = (text: string, ...before: readonly string[]): string[] =>
  answerQuestion({ text, before, day: '2026-11-14' }, documents, shippedAnswerTools()).flatMap(
    ({ sentences }) => sentences.map(({ sentence }) => sentence.text),
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

  test.each([
    ["Quick question: what's Veltrane's third-quarter revenue?", '$4.2 billion'],
    ['根据新闻报道，北辰科技去年全年收入是多少？', '86亿元'],
    ['我想知道，北辰科技嘅行政總裁係邊個？', '陈立言'],
  ])('answers “%s” regardless of how it opens', (question, answer) => {
    expect(ask(question).join('\n')).toContain(answer);
  });

  test('does not quote a sentence of many thousand characters', () => {
    const endless = `Veltrane third-quarter revenue ${'of $4.2 billion and $3 billion, '.repeat(3_000)}`;
    const read = document('endless', 'Veltrane reports results', endless);
    const asked = { text: "What was Veltrane's third-quarter revenue?", before: [], day: '2026-11-14' };
    const [part] = answerQuestion(asked, [read], shippedAnswerTools());
    expect(part?.sentences.filter(({ sentence }) => sentence.text.length > 1_000)).toEqual([]);
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

  test('quotes a text in the other language', () => {
    expect(ask('Veltrane第三季收入是多少？').join('\n')).toContain('$4.2 billion');
  });

  test('quotes the sides of a comparison from different texts', () => {
    const text = ask('How many people do Veltrane and Corvid Motors employ?').join('\n');
    expect(text).toContain('8,400 people');
    expect(text).toContain('1,900 people');
  });

  test('reads a later follow-up with the subject that an earlier question names', () => {
    const before = ["What was Veltrane's third-quarter revenue?", 'And how much did net profit rise?'];
    expect(ask('How many people does it employ?', ...before).join('\n')).toContain('8,400');
  });

  test('relates “yesterday” to the day of the question, and that of a text to its own day', () => {
    const shares = (id: string, day: string, points: string) =>
      document(id, `Osaka index ${day}`, `The Osaka index closed at ${points} points today.`, day);
    const days = [shares('a', '2026-11-11', '7,120'), shares('b', '2026-11-13', '7,305')];
    const asked = {
      text: 'At how many points did the Osaka index close yesterday?',
      before: [],
      day: '2026-11-14',
    };
    const [part] = answerQuestion(asked, days, shippedAnswerTools());
    expect(part?.sentences[0]?.sentence.text).toContain('7,305');
    const earlier = answerQuestion({ ...asked, day: '2026-11-12' }, days, shippedAnswerTools());
    expect(earlier[0]?.sentences[0]?.sentence.text).toContain('7,120');
  });

  test.each([
    ['another company', "What was Hollin Systems' third-quarter revenue?"],
    ['another subject', 'Who won the women’s marathon in Osaka?'],
    ['another quarter', '北辰科技今年第三季盈利是多少？'],
    ['a text without words', '???'],
    ['nothing', 'Why?'],
  ])('refuses a question about %s', (_, question) => {
    expect(ask(question)).toEqual([]);
  });

  test('quotes a sentence that two documents share once', () => {
    const copies = [documents[0]!, document('copy', 'Results', documents[0]!.source.text)];
    const asked = { text: "What was Veltrane's third-quarter revenue?", before: [], day: '2026-11-14' };
    const sentences = answerQuestion(asked, copies, shippedAnswerTools()).flatMap((part) => part.sentences);
    const texts = sentences.map(({ sentence }) => sentence.text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.join('\n')).toContain('$4.2 billion');
  });
});
