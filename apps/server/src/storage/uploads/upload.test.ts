import { expect, test } from 'vitest';

import { keepsStaged } from './upload.ts';

test.each([
  ['open', 'this', true],
  ['open', 'another', true],
  ['completing', 'this', true],
  ['completing', 'another', false],
  // Aborting it may take the bytes from the object that it was published as.
  ['completed', 'this', true],
  ['completed', 'another', false],
  ['abandoned', 'this', false],
] as const)('%s, published or to be published under %s name: kept %s', (state, stagedName, kept) => {
  expect(keepsStaged({ state, stagedName }, 'this')).toBe(kept);
});
