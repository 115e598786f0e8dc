import { expect, test } from 'vitest';

import { partBytes } from '../storage-deps.ts';
import { partsOf } from './direct-upload.ts';

test.each([
  [0, [0]],
  [1, [1]],
  [partBytes, [partBytes]],
  [partBytes + 1, [partBytes, 1]],
])('splits %i bytes into parts of %j', (size, sizes) => {
  expect(partsOf(size).map((part) => part.size)).toEqual(sizes);
});
