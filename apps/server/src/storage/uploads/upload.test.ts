import { expect, test } from 'vitest';

import { stagedUploadAction } from './upload.ts';

test.each([
  ['open', 'this', 'waiting'],
  ['open', 'another', 'waiting'],
  ['completing', 'this', 'waiting'],
  ['completing', 'another', 'left over'],
  ['completed', 'this', 'published'],
  ['completed', 'another', 'left over'],
  ['abandoned', 'this', 'left over'],
] as const)('bytes of an upload that is %s with %s name are %s', (state, stagedName, action) => {
  expect(stagedUploadAction({ state, stagedName }, 'this')).toBe(action);
});

test('classifies bytes without an upload as leftovers', () => {
  expect(stagedUploadAction(null, 'this')).toBe('left over');
});
