import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../test/factories/record-factory.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import type { ItemToImport } from './bulk-import.ts';
import { importItems, rebuildingSearchIndex } from './bulk-import.ts';
import { verifyRecord } from './verify.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let loaded: TestDatabase;
let published: TestDatabase;
beforeAll(async () => {
  [loaded, published] = [await createTestDatabase(), await createTestDatabase()];
});
afterAll(async () => {
  await loaded.drop();
  await published.drop();
});

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\\.', '\\N', '\t', 'a\nb\r\n', '\\x00', '{1,2}', '模型 发布', '"', "'"),
);
const drawn = fc.array(
  fc.record({
    title: hostile,
    summary: hostile,
    originalTitle: fc.option(hostile),
    hoursAgo: fc.nat(400),
    publishedBefore: fc.option(fc.nat(200)),
    firstImport: fc.boolean(),
    source: fc.nat(3),
    group: fc.nat(12),
    story: fc.option(fc.nat(3)),
    score: fc.option(fc.nat(100)),
    selected: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

test('a bulk import writes the same rows to every table as publishing one by one', async () => {
  const one = createRecordFactory({ database: published.database, clock });
  const ids = one.ids;
  await fc.assert(
    fc.asyncProperty(drawn, async (drafts) => {
      const stories = await openStories(ids.next);
      const groups = Array.from({ length: 13 }, () => ids.next<'reading-group'>());
      const represented = new Set<number>();
      const items = drafts.map((draft): ItemToImport => {
        const selected = draft.selected && !represented.has(draft.group);
        if (selected) represented.add(draft.group);
        const discoveredAt = hoursBefore(clock.now(), draft.hoursAgo);
        return {
          ...one.draft({ sourceName: `source ${draft.source}` }),
          id: ids.next(),
          groupId: groups[draft.group]!,
          ...(draft.story === null ? {} : { storyId: stories[draft.story]! }),
          title: draft.title,
          summary: draft.summary,
          originalTitle: draft.originalTitle,
          score: draft.score,
          discoveredAt,
          publishedAt:
            draft.publishedBefore === null ? null : hoursBefore(discoveredAt, draft.publishedBefore),
          firstImport: draft.firstImport,
          ...(selected ? { selection: { reason: 'It matters.' } } : {}),
        };
      });
      const half = Math.floor(items.length / 2);
      const deps = { pool: loaded.pool, clock, ids };
      for (const part of [items.slice(0, half), items.slice(half)]) await importItems(deps, part);
      for (const { selection = null, ...item } of items) {
        valueOf(await one.publisher.publishItem(item));
        if (selection !== null) {
          valueOf(await one.publisher.selectItem({ itemId: item.id, reason: selection.reason }));
        }
      }
      expect(await tablesOf(loaded)).toEqual(await tablesOf(published));
    }),
    { numRuns: 8 },
  );
  const findings = await verifyRecord(loaded.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}, 60_000);

test('a batch that fails changes nothing and can be retried', async () => {
  const { draft, ids } = createRecordFactory({ database: loaded.database, clock });
  const good: ItemToImport = {
    ...draft({ sourceName: 'source 1' }),
    id: ids.next(),
    selection: { reason: 'x' },
  };
  const imported = importItems({ pool: loaded.pool, clock, ids }, [good, good]);
  await expect(imported).rejects.toThrow(/duplicate key/);
  const findings = await verifyRecord(loaded.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
  expect(await importItems({ pool: loaded.pool, clock, ids }, [good])).toEqual({ items: 1, selected: 1 });
});

test('an import without the search index restores the index afterwards', async () => {
  const owner = connectDatabase({
    url: loaded.urls.owner,
    name: 'owner',
    connectionsMax: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  });
  const indexes = () =>
    loaded.asSuperuser(
      `SELECT tablename, regexp_replace(indexdef, '^CREATE INDEX \\S+', '') AS definition FROM pg_indexes
       WHERE schemaname = 'record' AND tablename <> 'item' AND indexdef LIKE '%USING gin%' ORDER BY tablename`,
    );
  const before = await indexes();
  const { draft, ids } = createRecordFactory({ database: loaded.database, clock });
  await rebuildingSearchIndex(owner.database, async () => {
    expect(await indexes()).toEqual([]);
    await importItems({ pool: loaded.pool, clock, ids }, [
      { ...draft({ sourceName: 'source 9' }), id: ids.next() },
    ]);
  });
  await owner.close();
  expect(before.length).toBeGreaterThan(9);
  expect(await indexes()).toEqual(before);
});

async function openStories(next: () => Id<'story'>): Promise<readonly Id<'story'>[]> {
  const stories = Array.from({ length: 4 }, next);
  for (const { database } of [loaded, published]) {
    const { publisher } = createRecordFactory({ database, clock });
    for (const id of stories) valueOf(await publisher.openStory({ id, title: 'Story', itemIds: [] }));
  }
  return stories;
}

/** All rows except the times at which the ledger itself was written. */
async function tablesOf({ database }: TestDatabase): Promise<unknown> {
  return {
    sources: await database.selectFrom('record.source').selectAll().orderBy('id').execute(),
    groups: await database.selectFrom('record.reading_group').selectAll().orderBy('id').execute(),
    items: await database.selectFrom('record.item').selectAll().orderBy('id').execute(),
    window: await database.selectFrom('record.window_item').selectAll().orderBy('id').execute(),
    stories: await database.selectFrom('record.story').selectAll().orderBy('id').execute(),
    ledger: await database
      .selectFrom('record.ledger_entry')
      .select(['item_id', 'position', 'removed'])
      .orderBy('position')
      .execute(),
    head: await database
      .selectFrom('record.ledger_head')
      .select(['position', 'set_size', 'set_hash'])
      .executeTakeFirst(),
  };
}
