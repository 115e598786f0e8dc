import { expect, test } from 'vitest';

import { lexiconHits, parseLexicon } from './lexicon.ts';
import { tokens } from './note-tokens.ts';

const lexicon = parseLexicon('[oil] oil\nolive oil, oil\n[fruit] fruit\nolive\n[habit] 习惯\n早起, 每天早起');

test('a longer phrase wins over the words inside it, and its own wording is kept', () => {
  expect(lexiconHits(lexicon, tokens('Olive Oil and olives'))).toEqual([
    { section: 'oil', raw: 'Olive Oil' },
    { section: 'fruit', raw: 'olives' },
  ]);
});

test('Chinese is searched without spaces, longest match first', () => {
  expect(lexiconHits(lexicon, tokens('我每天早起喝水'))).toEqual([{ section: 'habit', raw: '每天早起' }]);
});

test('a link counts as its text and the name of its site, never as its path', () => {
  const words = tokens('[Dune](https://www.imdb.com/title/money-budget) x').map(({ raw }) => raw);
  expect(words).toEqual(['Dune', 'imdb', 'x']);
});
