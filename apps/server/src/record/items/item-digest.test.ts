import { expect, test } from 'vitest';

import { sha256Bytes } from '../../foundation/hash.ts';
import { epochMicroseconds, instantFromMs } from '../../foundation/instant.ts';
import type { ItemFacts } from './item-body.ts';
import { itemDigest } from './item-digest.ts';

const item: ItemFacts = {
  id: '0199a0de-0000-7000-8000-000000000001',
  title: 'Ünïcode "模型"',
  originalTitle: null,
  language: null,
  summary: '',
  sourceName: 'The Wire',
  originalUrl: 'https://wire.example/?a=1&b=2',
  publishedAt: instantFromMs(0),
  discoveredAt: epochMicroseconds(1_001_999n),
  revisedAt: null,
  category: 'paper',
  score: 1,
  selected: true,
  reason: 'It matters.',
};

test('the digest is the SHA-256 of exactly the frozen fields, in canonical form, instants to the millisecond', () => {
  const form =
    '{"category":"paper","discoveredAt":"1970-01-01T00:00:01.001Z","id":"0199a0de-0000-7000-8000-000000000001",' +
    '"links":{"original":"https://wire.example/?a=1&b=2"},"originalTitle":null,"publishedAt":"1970-01-01T00:00:00.000Z",' +
    '"source":{"name":"The Wire"},"summary":"","title":"Ünïcode \\"模型\\""}';
  expect(itemDigest(item)).toEqual(sha256Bytes(form));
});

const frozen: readonly Partial<ItemFacts>[] = [
  { id: '0199a0de-0000-7000-8000-000000000002' },
  { title: 'x' },
  { originalTitle: 'x' },
  { summary: 'x' },
  { sourceName: 'x' },
  { originalUrl: 'x' },
  { publishedAt: null },
  { discoveredAt: instantFromMs(2_000) },
  { category: 'tip' },
];
test.each(frozen)('a change of %o changes the digest', (change) => {
  expect(itemDigest({ ...item, ...change })).not.toEqual(itemDigest(item));
});

test('the digest does not include score and reason', () => {
  expect(itemDigest({ ...item, score: 2, reason: null })).toEqual(itemDigest(item));
});
