import { expect, test } from 'vitest';

import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { compareAnswers } from './compare-answers.ts';
import { ErasedWords } from './erased-words.ts';

const [moment, later] = [epochMicroseconds(1_000n), epochMicroseconds(2_000n)];

function factsOf(erase: (words: ErasedWords) => void, exchangedMax = 0) {
  const erasures = new ErasedWords();
  erase(erasures);
  return { erasures, moment, exchangedMax };
}

const story = {
  title: 'About q1q',
  language: 'en',
  reportCount: 2,
  digest: { text: 'It is q1q.' },
  versions: [{ language: 'en', title: 'About q1q', digest: { text: 'It is q1q.' } }],
  languages: ['en'],
  reports: [
    { id: 'one', title: 'About q1q' },
    { id: 'other', title: 'About q2q' },
  ],
};
const answer = (changes: object) => ({ status: 200, body: { story: { ...story, ...changes } } });
const withdrawnOne = (words: ErasedWords): void => {
  words.noteWithdrawal('one', later);
  words.erase(['q1q']);
};

test('what was withdrawn since may be absent, with the words written from it', () => {
  const facts = factsOf(withdrawnOne);
  const now = answer({
    title: 'About q2q',
    digest: null,
    versions: [{ language: 'en', title: 'About q2q', digest: null }],
    reports: [{ id: 'other', title: 'About q2q' }],
  });
  expect(compareAnswers(answer({}), now, facts)).toEqual({ isSame: false, fault: null });
});

test.each([
  ['a count', { reportCount: 1 }],
  ['a title without erased words', { reports: [{ id: 'other', title: 'About q3q' }] }],
  ['a report that was not withdrawn', { reports: [] }],
])('%s that differs is a fault', (_, changes) => {
  expect(compareAnswers(answer({}), answer(changes), factsOf(withdrawnOne)).fault).not.toBeNull();
});

test.each([
  ['absent if all reports in it were withdrawn since', 'one', null],
  ['a fault if it is absent beside a report in it', 'other', expect.any(String)],
])('the version in a language is %s', (_, withdrawnId, fault) => {
  const versions = [...story.versions, { language: 'zh', title: '编辑的标题', digest: null }];
  const reports = [
    { id: 'one', title: '关于', language: 'zh' },
    { id: 'other', title: 'About q2q', language: 'en' },
  ];
  const facts = factsOf((words) => words.noteWithdrawal(withdrawnId, later));
  const now = { reports: reports.filter(({ id }) => id !== withdrawnId) };
  expect(compareAnswers(answer({ versions, reports }), answer(now), facts).fault).toEqual(fault);
});

test('a correction replaces exactly the fields that it changed', () => {
  const facts = factsOf((words) => {
    words.noteCorrection('one', { at: later, fields: { title: 'About q9q' } });
    words.erase(['q1q']);
  });
  const [then, right, wrong] = ['q1q', 'q9q', 'q8q'].map((word) => ({
    status: 200,
    body: { item: { id: 'one', title: `About ${word}`, score: 1 } },
  })) as [Answer, Answer, Answer];
  expect(compareAnswers(then, right, facts).fault).toBeNull();
  expect(compareAnswers(then, wrong, facts).fault).not.toBeNull();
  const otherScore = { status: 200, body: { item: { ...right.body.item, score: 2 } } };
  expect(compareAnswers(then, otherScore, facts).fault).not.toBeNull();
});

interface Answer {
  readonly status: number;
  readonly body: { readonly item: object };
}

test('a status differs only for what was withdrawn', () => {
  const then = { status: 200, body: { item: { id: 'one', title: 'About q1q' } } };
  const gone = { status: 410, body: null };
  expect(compareAnswers(then, gone, factsOf(withdrawnOne)).fault).toBeNull();
  expect(
    compareAnswers(
      then,
      gone,
      factsOf(() => {}),
    ).fault,
  ).not.toBeNull();
});
