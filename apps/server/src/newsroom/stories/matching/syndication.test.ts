import { expect, test } from 'vitest';

import { syndicatesOf } from './syndication.ts';

test('owners that are related through others count under one name, and unrelated owners under their own', () => {
  const syndicates = syndicatesOf([
    ['Delta Post', 'Echo News'],
    ['Alpha Wire', 'Delta Post'],
    ['Kilo', 'Lima'],
  ]);
  expect(Object.fromEntries(syndicates)).toEqual({
    'Alpha Wire': 'Alpha Wire',
    'Delta Post': 'Alpha Wire',
    'Echo News': 'Alpha Wire',
    Kilo: 'Kilo',
    Lima: 'Kilo',
  });
  expect(syndicates.has('Mike')).toBe(false);
});
