import { describe, expect, it } from 'vitest';

import { isDiskFull, reasonOf } from './source-walk.ts';

describe('a full disk', () => {
  it.each([
    ['a file system without space', Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' })],
    ['a used-up quota', Object.assign(new Error('EDQUOT: write'), { code: 'EDQUOT' })],
    ['a queue that cannot grow', Object.assign(new Error('database or disk is full'), { errcode: 13 })],
  ])('is named in words for %s', (_, error) => {
    expect(isDiskFull(error)).toBe(true);
    expect(reasonOf(error)).toBe('the disk is full');
  });

  it('is not reported for other errors', () => {
    expect(isDiskFull(Object.assign(new Error('EIO: read'), { code: 'EIO' }))).toBe(false);
  });
});
