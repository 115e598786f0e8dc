import { assert, constantFrom, property, string, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';

import { phraseEdition } from './index.ts';

const period = constantFrom('daily', 'weekly', 'monthly');
const language = constantFrom('en', 'zh');
const titles = uniqueArray(string({ minLength: 3, maxLength: 60 }), { minLength: 1, maxLength: 9 });

test('an edition names its first stories, counts the rest, and is phrased the same way twice', () => {
  assert(
    property(period, language, titles, (ofPeriod, inLanguage, chosen) => {
      const edition = { period: ofPeriod, language: inLanguage, titles: chosen };
      const { headline, overview } = phraseEdition(edition);
      expect(phraseEdition(edition)).toEqual({ headline, overview });
      expect(headline).toContain(chosen[0]);
      for (const title of chosen.slice(0, 5)) expect(overview).toContain(title);
      for (const title of chosen.slice(5)) expect(overview).not.toContain(`“${title}”`);
      expect(/\d+ (further|则)/.test(overview.slice(-40))).toBe(chosen.length > 5);
    }),
  );
});

test('an edition without stories is refused', () => {
  expect(() => phraseEdition({ period: 'daily', language: 'en', titles: [] })).toThrow(RangeError);
});
