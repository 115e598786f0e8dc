import { expect, test } from 'vitest';

import { createWorld, searchTerms } from './index.ts';
import type { SearchClass } from './search-terms.ts';

const bounds: Readonly<Record<SearchClass, readonly [low: number, high: number]>> = {
  common: [0.1, 1],
  frequent: [0.01, 0.02],
  uncommon: [0.0005, 0.002],
  rare: [0.00001, 0.0003],
  absent: [0, 0],
};

test('finds every search term in its class share of 100,000 dispatches', { timeout: 120_000 }, () => {
  const world = createWorld({ seed: 41, startsAt: Date.UTC(2026, 8, 1), days: 200, itemsPerDay: 501 });
  const terms = searchTerms(world);
  const hits = new Map(terms.map(({ term }) => [term, 0]));
  const anyTerm = new RegExp(terms.map(({ term }) => term).join('|'), 'g');
  let rows = 0;
  for (const dispatch of world.dispatches()) {
    rows += 1;
    const text = [dispatch.title, dispatch.originalTitle ?? '', dispatch.summary, dispatch.outlet.name]
      .join('\n')
      .toLowerCase();
    for (const term of new Set(text.match(anyTerm))) hits.set(term, (hits.get(term) ?? 0) + 1);
  }
  expect(rows).toBeGreaterThanOrEqual(100_000);
  const outside = terms.flatMap(({ term, class: name }) => {
    const measured = (hits.get(term) ?? 0) / rows;
    const [low, high] = bounds[name];
    return measured < low || measured > high ? [`${term}, ${name}: ${measured}`] : [];
  });
  expect(outside).toEqual([]);
});

test('each class has different terms in each language, twenty but for the most common, the Chinese ones of two characters', () => {
  const world = createWorld({ seed: 1, startsAt: 0, days: 1, itemsPerDay: 1 });
  const terms = searchTerms(world);
  expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
  for (const language of ['en', 'zh'] as const) {
    for (const name of Object.keys(bounds)) {
      const ofClass = terms.filter((term) => term.language === language && term.class === name);
      expect(ofClass.length).toBeGreaterThanOrEqual(name === 'common' ? 7 : 20);
    }
  }
  expect(
    terms.filter(({ language, term }) => language === 'zh' && !/^\p{Script=Han}{2}$/u.test(term)),
  ).toEqual([]);
});
