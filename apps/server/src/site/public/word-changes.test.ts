import { expect, test } from 'vitest';

import { wordChanges } from './word-changes.ts';

const written = (before: string, after: string): string =>
  wordChanges(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `+[${text}]` : `-[${text}]`))
    .join('');

test.each([
  ['A model was released', 'A model was released', 'A model was released'],
  ['A model was released', 'A large model was released', 'A +[large ]model was released'],
  ['It costs 3 dollars', 'It costs 5 dollars', 'It costs -[3]+[5] dollars'],
  ['模型已发布', '模型今日发布', '模型-[已]+[今日]发布'],
  ['', 'New', '+[New]'],
  ['a a a', 'a a', 'a a-[ a]'],
])('of %j and %j are %j', (before, after, changes) => {
  expect(written(before, after)).toBe(changes);
});

test('of very long wordings are the whole wordings, and both can be read from the changes', () => {
  const long = (word: string): string => Array.from({ length: 1_000 }, (_, at) => `${word}${at}`).join(' ');
  const changes = wordChanges(long('a'), long('b'));
  const of = (kind: 'added' | 'removed') =>
    changes
      .filter((one) => one.kind === 'same' || one.kind === kind)
      .map(({ text }) => text)
      .join('');
  expect(of('removed')).toBe(long('a'));
  expect(of('added')).toBe(long('b'));
});
