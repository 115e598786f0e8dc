import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { publishAsItems } from '../../../test/publish-item.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import { createIdSource } from '../../foundation/ids.ts';
import { aliasTable, builtInAliases } from './matching/aliases.ts';
import { termsVersion } from './matching/stored-item.ts';
import { shippedStoryModel } from './matching/story-model.ts';
import { createReindexing } from './reindex-items.ts';
import { countOutdatedItems } from './reindex-store.ts';
import { tryPlacementTurn } from './story-index-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const ids = createIdSource({ clock, randomBytes });
const deps = { clock, ids, aliases: aliasTable(builtInAliases()), model: shippedStoryModel() };
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

async function index(): Promise<unknown> {
  return {
    reports: await store.asSuperuser(
      'SELECT item_id, arrived, posted_terms, content::jsonb - $$counts$$ AS content FROM newsroom.story_report ORDER BY item_id',
    ),
    postings: await store.asSuperuser('SELECT * FROM newsroom.story_posting ORDER BY 1, 2, 3'),
    counts: await store.asSuperuser('SELECT * FROM newsroom.story_term_count ORDER BY term'),
  };
}

/** As left by a release whose terms have an extra word in place of the version. */
const madeByOlderRules = `
  UPDATE newsroom.story_report SET posted_terms = posted_terms || '{w:older}'::text[],
    content = jsonb_set((content::jsonb - 'version' - 'sketch'), '{terms}', content::jsonb -> 'terms' || '["w:older"]')::json;
  INSERT INTO newsroom.story_posting SELECT 'w:older', reported_at, item_id FROM newsroom.story_report;
  INSERT INTO newsroom.story_term_count SELECT 'w:older', count(*) FROM newsroom.story_report;
  UPDATE newsroom.story_corpus SET terms_version = 1`;

test('items with terms of an older version are read again in batches, and a stopped run continues where it ended', async () => {
  const record = createRecordFactory({ database: store.database, clock });
  const drafts = Array.from({ length: 120 }, (_, at) => ({
    ...record.draft({ title: `Company ${at} of G.O.P. donors opens plant ${at * 7}`, hoursAgo: at / 10 }),
    id: record.ids.next<'item'>(),
  }));
  const published = await retryConcurrentChanges(store.database, () =>
    store.database
      .transaction()
      .execute((transaction) =>
        record.publisher.within(transaction, (decisions) =>
          publishAsItems(deps, transaction, decisions, drafts),
        ),
      ),
  );
  valueOf(published);
  const expected = await index();
  await store.asSuperuser(madeByOlderRules);
  expect(await countOutdatedItems(store.database, termsVersion)).toBe(120);

  const sweep = createReindexing({ database: store.database, aliases: deps.aliases });
  const stop = new AbortController();
  const run = (batchesMax: number): Promise<void> => {
    let batches = 0;
    const stopping = new AbortController();
    return sweep.run({
      epoch: 1,
      enqueue: async () => {},
      transaction: async (work) => {
        batches += 1;
        if (batches >= batchesMax) stopping.abort();
        return store.database.transaction().execute(work);
      },
      signal: AbortSignal.any([stop.signal, stopping.signal]),
    });
  };
  await store.database.transaction().execute(async (other) => {
    await tryPlacementTurn(other);
    await run(Infinity);
  });
  expect(await countOutdatedItems(store.database, termsVersion)).toBe(120);
  await run(1);
  expect(await countOutdatedItems(store.database, termsVersion)).toBe(70);
  await run(Infinity);
  expect(await countOutdatedItems(store.database, termsVersion)).toBe(0);
  expect(await index()).toEqual(expected);
});
