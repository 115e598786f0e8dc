import { expect, test } from 'vitest';

import { lexiconHits, parseLexicon } from './lexicon.ts';
import { tokens } from './note-tokens.ts';

const lexicon = parseLexicon('[oil] oil\nolive oil, oil\n[fruit] fruit\nolive\n[habit] 习惯\n早起, 每天早起');

test('prefers a longer phrase to the words inside it, and preserves its wording', () => {
  expect(lexiconHits(lexicon, tokens('Olive Oil and olives'))).toEqual([
    { section: 'oil', raw: 'Olive Oil' },
    { section: 'fruit', raw: 'olives' },
  ]);
});

test('searches Chinese without spaces, longest match first', () => {
  expect(lexiconHits(lexicon, tokens('我每天早起喝水'))).toEqual([{ section: 'habit', raw: '每天早起' }]);
});

test('reads a link as its text and the name of its site, never as its path', () => {
  const words = tokens('[Dune](https://www.imdb.com/title/money-budget) x').map(({ raw }) => raw);
  expect(words).toEqual(['Dune', 'imdb', 'x']);
});
