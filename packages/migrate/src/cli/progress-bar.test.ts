import { expect, it } from 'vitest';

import { speedOf } from './progress-bar.ts';

it.each([
  [0, 5000, 10, []],
  [10, 500, 10, []],
  [4100, 10_000, 3690, ['410/s', '9 s left']],
  [5, 2000, null, ['2.5/s']],
  [100, 10_000, 3000, ['10/s', '5 min left']],
  [10, 10_000, 7320, ['1.0/s', '2 h 2 min left']],
  [10, 2000, -1, ['5.0/s']],
])('%i done in %i ms with %s left reads as %j', (done, elapsedMs, left, expected) => {
  expect(speedOf(done, elapsedMs, left)).toEqual(expected);
});
