import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ContentEncoding } from './content-encoding.ts';
import { chooseEncoding } from './content-encoding.ts';

test.each<[string | undefined, ContentEncoding]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.5, identity;q=0.8', 'identity'],
  ['gzip;q=0', 'identity'],
  ['GZIP ; Q=0.3', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=high', 'identity'],
  ['identity;q=0', 'identity'],
])('Accept-Encoding %s is answered with %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

describe('for any list of weights', () => {
  const weight = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);
  const weights = fc.dictionary(fc.constantFrom('br', 'gzip', 'identity', '*', 'deflate'), weight, {
    minKeys: 1,
  });
  const headerOf = (chosen: Record<string, number>): string =>
    Object.entries(chosen)
      .map(([name, q]) => `${name};q=${q}`)
      .join(', ');

  test('never chooses a refused coding, unless all are refused', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const chosen = chooseEncoding(headerOf(given));
        const weightOf = (name: string): number => given[name] ?? given['*'] ?? (name === 'identity' ? 1 : 0);
        expect(chosen === 'identity' || weightOf(chosen) > 0).toBe(true);
      }),
    );
  });

  test('never chooses a coding with a lower weight than another available one that was named', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const chosen = chooseEncoding(headerOf(given));
        const weightOf = (name: string): number =>
          given[name] ?? (name === 'identity' ? 0 : (given['*'] ?? 0));
        for (const name of ['br', 'gzip', 'identity'])
          expect(weightOf(name)).toBeLessThanOrEqual(weightOf(chosen));
      }),
    );
  });
});
