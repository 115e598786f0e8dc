import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  gramsOfTerms,
  gramsOfText,
  normalizeSearchText,
  searchTermsOf,
  searchTextOf,
} from './search-text.ts';

const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefgß09-~éøK模型发布开源智能体𠀀ﾃ한')),
  minLength: 1,
  maxLength: 12,
});

describe('the search index', () => {
  test('never misses a text that contains every term: its grams include those of the terms', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        (words, picks) => {
          const text = searchTextOf(words);
          const terms = picks.map((pick) => {
            const run = normalizeSearchText(words[pick % words.length] as string);
            const points = Array.from(run);
            return points.slice(pick % points.length).join('');
          });
          const held = new Set(gramsOfText(text));
          for (const gram of gramsOfTerms(terms.filter((term) => term !== '')))
            expect(held.has(gram)).toBe(true);
        },
      ),
    );
  });

  test('serves two-character and one-character Chinese terms and two-letter terms', () => {
    for (const term of ['模型', '模', 'ai', '~']) expect(gramsOfTerms([term])).toHaveLength(1);
  });

  test('has no grams for a single letter', () => {
    expect(gramsOfTerms(['a'])).toEqual([]);
  });

  test('uses the first eight terms at most', () => {
    const terms = Array.from({ length: 12 }, (_, index) => `模${index}`);
    expect(gramsOfTerms(terms)).toEqual(gramsOfTerms(terms.slice(0, 8)));
  });
});

describe('normalizing search text', () => {
  test('treats full-width, compatibility and case variants as equal', () => {
    expect(normalizeSearchText('ＧＰＴ－４ ﬁne Straße ΟΔΟΣ')).toBe(
      normalizeSearchText('gpt-4 fine STRASSE οδος'),
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = normalizeSearchText(text);
        expect(normalizeSearchText(once)).toBe(once);
      }),
    );
  });

  test('splits a query on any white space and removes duplicate terms', () => {
    expect(searchTermsOf('  Agent　模型 agent\t')).toEqual(['agent', '模型']);
  });
});
