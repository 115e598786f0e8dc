import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { searchArchive } from './search-archive.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const dayHours = 24;
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());

const publish = (title: string, daysAgo: number): Promise<string> =>
  record.publishSelected({ title, hoursAgo: daysAgo * dayHours });
const search = async (...words: readonly string[]): Promise<readonly string[]> => {
  const request = { queries: [words], until: clock.now(), rowsPerQuery: 2 };
  return (await searchArchive(store.database, request)).map(({ id }) => id);
};

describe('a search of the archive', () => {
  test('finds selected items of any age by all words, newest first', async () => {
    const old = await publish('Veltrane opened a plant in Leeds', 900);
    const older = await publish('Veltrane plans a plant in Osaka', 1_500);
    const recent = await publish('Veltrane opens its third plant', 3);
    expect(await search('veltrane')).toEqual([recent, old]);
    expect(await search('Veltrane', 'plants', 'Osaka')).toEqual([older]);
    expect(await search('Veltrane', 'Lima')).toEqual([]);
    expect(await search('…')).toEqual([]);
  });

  test('finds pairs of characters in texts without spaces', async () => {
    const id = await publish('维尔川在里兹开设新工厂', 400);
    expect(await search('里兹', '工厂')).toEqual([id]);
  });

  test('names the query that found an item, and does not find withdrawn items', async () => {
    const [one, other] = [
      await publish('Corvid buys Marrow', 200),
      await publish('Corvid sells Tindale', 300),
    ];
    const queries = [['tindale'], ['corvid']];
    const found = async () => {
      const rows = await searchArchive(store.database, { queries, until: clock.now(), rowsPerQuery: 5 });
      return rows.map(({ query, id }) => [query, id]);
    };
    expect(await found()).toEqual([
      [0, other],
      [1, one],
      [1, other],
    ]);
    valueOf(await record.publisher.withdrawItem({ itemId: other as never, reason: 'It is wrong.' }));
    expect(await found()).toEqual([[1, one]]);
  });

  test('reads the index, and one slice after the other', async () => {
    const { rows } = await store.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM record.item WHERE selected
         AND record.archive_words(discovered_at, title, original_title, summary) @> '{680:veltran}'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('item_archive_words');
  });
});
