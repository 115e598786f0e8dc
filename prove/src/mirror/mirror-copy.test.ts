import { expect, test } from 'vitest';

import { MirrorCopy } from './mirror-copy.ts';
import type { MirrorItem, MirrorSource } from './mirror-source.ts';

const item: MirrorItem = {
  id: '1',
  title: 't',
  originalTitle: null,
  summary: '',
  source: { name: 's' },
  links: { item: 'here', original: 'there' },
  publishedAt: null,
  discoveredAt: '2026-11-15T00:00:00.000Z',
  category: 'tip',
};
const source: MirrorSource = {
  snapshot: (_limit, page) =>
    Promise.resolve({
      cursor: 'a',
      nextPage: page === null ? 'more' : null,
      items: page === null ? [item] : [],
    }),
  changes: () => Promise.resolve({ cursor: 'b', hasMore: false, changes: [{ op: 'remove', id: '1' }], set }),
};
const set = { version: 1, size: 0, hash: '0'.repeat(64) };

test('a copy that was stopped in the middle of a snapshot goes on where it was', async () => {
  const copy = new MirrorCopy();
  await copy.readPage(source, Math.random);
  const resumed = MirrorCopy.resume(copy.save());
  expect([...resumed.items.keys()]).toEqual(['1']);
  expect(await resumed.readPage(source, Math.random)).toBeNull();
  expect(resumed.agrees(set)).toBe(false);
  expect(await resumed.readPage(source, Math.random)).toEqual(set);
  expect(resumed.agrees(set)).toBe(true);
});
