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

test('what was found is not asked for again until it is 900 ms old', async () => {
  const { get, pass, asked } = build();
  await get('a');
  pass(foundOnlyAgeMaxMs - 1);
  await get('a');
  expect(asked()).toBe(1);
  pass(1);
  await get('a');
  expect(asked()).toBe(2);
});

test('what was not found is asked for every time', async () => {
  const { get, asked } = build();
  expect(await get('a', null)).toBeNull();
  expect(await get('a')).toEqual({ id: 'a' });
  expect(asked()).toBe(2);
});

test('its age counts from before the question, however long the answer takes', async () => {
  const { cache, pass, asked, get } = build();
  const slow = Promise.withResolvers<Value | null>();
  const first = cache.get('a', () => slow.promise);
  pass(foundOnlyAgeMaxMs);
  slow.resolve({ id: 'a' });
  await first;
  await get('a');
  expect(asked()).toBe(1);
});

test('an answer on its way when a notice comes is not kept', async () => {
  const { cache, get, asked } = build();
  const slow = Promise.withResolvers<Value | null>();
  const first = cache.get('a', () => slow.promise);
  cache.drop('a');
  slow.resolve({ id: 'a' });
  await first;
  await get('a');
  expect(asked()).toBe(1);
});

test('a notice drops what it names and nothing else', async () => {
  const { cache, get, asked } = build();
  await get('a');
  await get('b');
  cache.drop('a');
  await get('b');
  expect(asked()).toBe(2);
  await get('a');
  expect(asked()).toBe(3);
});

test('it holds so many and no more', async () => {
  const { get, asked } = build(2);
  for (const key of ['a', 'b', 'c']) await get(key);
  await get('b');
  await get('c');
  expect(asked()).toBe(3);
  await get('a');
  expect(asked()).toBe(4);
});
