import { expect, test } from 'vitest';

import { fateOfStaged } from './upload.ts';

test.each([
  ['open', 'this', 'waiting'],
  ['open', 'another', 'waiting'],
  ['completing', 'this', 'waiting'],
  ['completing', 'another', 'left over'],
  ['completed', 'this', 'published'],
  ['completed', 'another', 'left over'],
  ['abandoned', 'this', 'left over'],
] as const)('bytes of an upload that is %s with %s name are %s', (state, stagedName, fate) => {
  expect(fateOfStaged({ state, stagedName }, 'this')).toBe(fate);
});

test('bytes of no upload are left over', () => {
  expect(fateOfStaged(null, 'this')).toBe('left over');
});
