import { expect, test } from 'vitest';

import { FoundOnlyCache, foundOnlyAgeMaxMs } from './found-only-cache.ts';

interface Value {
  readonly id: string;
}

function build(entriesMax = 10) {
  let nowMs = 0;
  let asked = 0;
  const cache = new FoundOnlyCache<Value>({ elapsedMs: () => nowMs, idsOf: ({ id }) => [id], entriesMax });
  const find = async (value: Value | null): Promise<Value | null> => {
    asked += 1;
    return value;
  };
  return {
    cache,
    get: (key: string, value: Value | null = { id: key }) => cache.get(key, () => find(value)),
    pass: (ms: number) => (nowMs += ms),
    asked: () => asked,
  };
}

test('caches a found value for 900 ms', async () => {
  const { get, pass, asked } = build();
  await get('a');
  pass(foundOnlyAgeMaxMs - 1);
  await get('a');
  expect(asked()).toBe(1);
  pass(1);
  await get('a');
  expect(asked()).toBe(2);
});

test('queries a missing value every time', async () => {
  const { get, asked } = build();
  expect(await get('a', null)).toBeNull();
  expect(await get('a')).toEqual({ id: 'a' });
  expect(asked()).toBe(2);
});

test('counts the age from before the query, however long the query takes', async () => {
  const { cache, pass, asked, get } = build();
  const slow = Promise.withResolvers<Value | null>();
  const first = cache.get('a', () => slow.promise);
  pass(foundOnlyAgeMaxMs);
  slow.resolve({ id: 'a' });
  await first;
  await get('a');
  expect(asked()).toBe(1);
});

test('does not cache a result that was in flight when a notification arrived', async () => {
  const { cache, get, asked } = build();
  const slow = Promise.withResolvers<Value | null>();
  const first = cache.get('a', () => slow.promise);
  cache.drop('a');
  slow.resolve({ id: 'a' });
  await first;
  await get('a');
  expect(asked()).toBe(1);
});

test('drops only the values that a notification names', async () => {
  const { cache, get, asked } = build();
  await get('a');
  await get('b');
  cache.drop('a');
  await get('b');
  expect(asked()).toBe(2);
  await get('a');
  expect(asked()).toBe(3);
});

test('never exceeds its number of entries', async () => {
  const { get, asked } = build(2);
  for (const key of ['a', 'b', 'c']) await get(key);
  await get('b');
  await get('c');
  expect(asked()).toBe(3);
  await get('a');
  expect(asked()).toBe(4);
});
