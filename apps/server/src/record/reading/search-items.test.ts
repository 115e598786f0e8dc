import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, hoursBefore } from '../../../test/factories/record-factory.ts';
import type { ItemToImport } from '../bulk-import.ts';
import { importItems } from '../bulk-import.ts';
import { rollWindow } from '../items/window-store.ts';
import type { ItemFilter, ItemsRequest, ListedItem } from './item-reading-store.ts';
import { readItemRows } from './item-reading-store.ts';
import { searchItems, searchItemsForEach } from './search-items.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const itemCount = 1_600;
let loaded: TestDatabase;
beforeAll(async () => {
  loaded = await createTestDatabase();
  const { draft, ids } = createRecordFactory({ database: loaded.database, clock });
  await rollWindow(loaded.database, clock.now());
  const items = Array.from({ length: itemCount }, (_, index): ItemToImport => {
    const discoveredAt = hoursBefore(clock.now(), Math.floor((index * 167) / itemCount));
    // A few were found late and sort on an earlier day than that of their partition.
    const publishedAt = index % 9 === 0 ? hoursBefore(discoveredAt, 80) : null;
    return {
      ...draft({ title: titleOf(index), discoveredAt, publishedAt }),
      id: ids.next(),
    };
  });
  await importItems({ pool: loaded.pool, clock, ids }, items);
}, 60_000);
afterAll(() => loaded.drop());

/** The newest items have the lowest numbers. */
function titleOf(index: number): string {
  const words = ['everywhere'];
  if (index % 25 === 0) words.push('frequently');
  if (index % 100 === 9) words.push('seldom', '罕见');
  if (index < 15) words.push('breaking');
  if (index > 1_200) words.push('yesteryear');
  return words.join(' ');
}

const filter: ItemFilter = { mode: 'all', category: null, sourceId: null, language: null, by: 'timeline' };
const hours = { '24h': 24, '7d': 168 };

const terms = ['everywhere', 'frequently', 'seldom', '罕见', 'breaking', 'yesteryear', 'absent', 'e', 'j'];
const spanOf = (window: keyof typeof hours) => ({
  after: hoursBefore(clock.now(), hours[window]),
  until: clock.now(),
});

describe.each(terms)('a search for %s', (term) => {
  test.each([
    { rowsMax: 3, window: '7d' },
    { rowsMax: 6, window: '7d' },
    { rowsMax: 30, window: '7d' },
    { rowsMax: 101, window: '7d' },
    { rowsMax: 30, window: '24h' },
  ] as const)('finds what looking at every item finds: $rowsMax of $window', async ({ rowsMax, window }) => {
    const request: ItemsRequest = {
      filter,
      span: spanOf(window),
      position: null,
      rowsMax,
    };
    const every = await readItemRows(loaded.database, { ...request, rowsMax: itemCount });
    const expected = every.filter(({ body }) => body.includes(term)).slice(0, rowsMax);
    const found = await searchItems(loaded.database, request, term);
    expect(found.map(idOf)).toEqual(expected.map(idOf));
  });
});

test.each([
  [3, '7d'],
  [30, '7d'],
  [30, '24h'],
] as const)(
  'a search for each of several terms finds what one for each finds: %i of %s',
  async (rowsMax, window) => {
    const request: ItemsRequest = { filter, span: spanOf(window), position: null, rowsMax };
    const queries = [...terms, 'everywhere seldom'];
    const found = await searchItemsForEach(loaded.database, request, queries);
    const alone = await Promise.all(queries.map((query) => searchItems(loaded.database, request, query)));
    expect(queries.map((_, at) => found.filter((one) => one.query === at).map(idOf))).toEqual(
      alone.map((some) => some.map(idOf)),
    );
  },
);

function idOf({ id }: ListedItem): string {
  return id;
}
