import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { groupTransactions } from './group-transactions.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

function openGroups() {
  let begun = 0;
  const grouped = groupTransactions((work) => {
    begun += 1;
    return store.database.transaction().execute(work);
  });
  const insert = (name: string): Promise<string> =>
    grouped(async (trx) => {
      await sql`INSERT INTO newsroom.domain (name) VALUES (${name})`.execute(trx);
      return name;
    });
  const stored = async (): Promise<number> => (await store.asSuperuser('SELECT FROM newsroom.domain')).length;
  return { begun: () => begun, insert, stored };
}

test('commits pieces that wait at the same time together, and returns each its own output', async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain CASCADE');
  const { insert, begun, stored } = openGroups();
  const names = Array.from({ length: 60 }, (_, at) => `site${at}.example`);
  expect(await Promise.all(names.map(insert))).toEqual(names);
  expect(await stored()).toBe(60);
  expect(begun()).toBeLessThan(10);
});

test('a failing piece does not affect the others', async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain CASCADE');
  const { insert, stored } = openGroups();
  const names = Array.from({ length: 40 }, (_, at) => `site${at % 39}.example`);
  const ended = await Promise.allSettled(names.map(insert));
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await stored()).toBe(39);
  expect(await insert('later.example')).toBe('later.example');
});
