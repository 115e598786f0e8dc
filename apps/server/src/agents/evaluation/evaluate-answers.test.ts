import { describe, expect, test } from 'vitest';

import { answerQuestion, shippedAnswerTools } from '../answers/extract/index.ts';
import { evaluateAnswers } from './evaluate-answers.ts';
import { readAnswerSet } from './labelled-answers.ts';

const lines = (...rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const question = {
  id: 'q1',
  question: "What was Veltrane's third-quarter revenue?",
  language: 'en',
  type: 'how-much',
  asOf: null,
  followUpOf: null,
  answerable: true,
  facts: [{ document: 'd1', quote: 'revenue of $4.2 billion', answer: '$4.2 billion', accept: ['4.2bn'] }],
  mustNotSay: ['$610 million'],
};
const unanswerable = {
  ...question,
  id: 'q2',
  question: "What was Hollin Systems' third-quarter revenue?",
  answerable: false,
  facts: [],
};
const text = 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday.';
const corpus = lines({ id: 'd1', kind: 'item', title: 'Veltrane reports results', text });
const noFile = (): string => {
  throw new Error('no file is read');
};
const evaluate = (questions: string, documents = corpus, read: (file: string) => string = noFile) =>
  evaluateAnswers(readAnswerSet(questions, documents, read), (asked, read) =>
    answerQuestion(asked, read, shippedAnswerTools()),
  );

describe('an evaluation of answers', () => {
  test('counts found facts of answerable questions and refusals of the others', () => {
    const { rates, outcomes } = evaluate(lines(question, unanswerable));
    const counts = Object.fromEntries(rates.map(({ name, count, of }) => [name, `${count}/${of}`]));
    expect(counts).toMatchObject({
      retrieved: '1/1',
      found: '1/1',
      'refused, of unanswerable': '1/1',
      wrong: '0/2',
      'found: en': '1/1',
      'found: how-much': '1/1',
    });
    expect(outcomes[0]?.sentences).toEqual([text]);
  });

  test('counts an answer that says what it must not say as wrong', () => {
    const { outcomes } = evaluate(lines({ ...question, mustNotSay: ['4.2 Billion'] }));
    expect(outcomes[0]?.wrong).toBe(true);
  });

  test('reads the texts of documents from the files that they name', () => {
    const bodies = JSON.stringify({ k: { articleBody: text } });
    const document = { id: 'd1', kind: 'item', title: 'Veltrane', file: 'bodies.json', key: 'k' };
    expect(evaluate(lines(question), lines(document), () => bodies).outcomes[0]?.found).toBe(true);
    const rows = lines({ id: 'k', lead: text });
    const row = { ...document, file: 'rows.jsonl' };
    expect(evaluate(lines(question), lines(row), () => rows).outcomes[0]?.found).toBe(true);
    expect(() => evaluate(lines(question), lines({ ...row, key: 'x' }), () => rows)).toThrow(
      'the document d1 names x, which is not in rows.jsonl',
    );
  });

  test('reports the first line that lacks a field', () => {
    expect(() => evaluate(lines(question, { id: 'q3' }))).toThrow('line 2 needs "question" (text)');
  });
});
