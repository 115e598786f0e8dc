import { expect, test } from 'vitest';

import { readableSize } from './storage-frame.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [99_949, '99.9 kB'],
  [999_600, '1.0 MB'],
  [5_000_000_000, '5.0 GB'],
])('shows %i bytes as %s', (bytes, text) => {
  expect(readableSize(bytes)).toBe(text);
});
