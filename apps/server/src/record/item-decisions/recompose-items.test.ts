import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { createIdSource } from '../../foundation/ids.ts';
import type { Id } from '../../foundation/ids.ts';
import { verifyRecord } from '../verify.ts';
import { recomposeItems } from './recompose-items.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('recomposing updates bodies of an older version during reads and writes, and mirrors see no change', async () => {
  const record = createRecordFactory({ database: store.database, clock });
  const items: Id<'item'>[] = [];
  for (let n = 0; n < 430; n += 1) {
    const publish = n % 3 === 0 ? record.publishSelected : record.publish;
    items.push(await publish({ title: `title ${n}`, language: 'en', hoursAgo: n % 150 }));
  }
  // As an earlier release stored them.
  const older = `replace(replace(body, '"language":"en",', ''), '"revisedAt":null,', '')`;
  await store.asSuperuser(`UPDATE record.item SET body_version = 1, body = ${older}`);
  await store.asSuperuser(`UPDATE record.window_item SET body = ${older}, source_id = NULL, language = NULL`);
  const head = () => store.database.selectFrom('record.ledger_head').selectAll().executeTakeFirstOrThrow();
  const before = await head();

  const progress = { done: false };
  const read = async (): Promise<number> => {
    let looks = 0;
    for (; !progress.done; looks += 1) {
      const rows = await store.database
        .selectFrom('record.window_item')
        .select('body')
        .where('selected', '=', true)
        .orderBy('timeline_key', 'desc')
        .limit(50)
        .execute();
      const titles = rows.map(
        ({ body }) => (JSON.parse(body.replace('\u0001', '')) as { title: string }).title,
      );
      if (titles.length !== 50 || titles.some((title) => !/^(title|revised) \d+$/.test(title)))
        throw new Error(`a reader saw ${titles.join()}`);
    }
    return looks;
  };
  const revised: Id<'item'>[] = [];
  const revise = async (): Promise<void> => {
    for (let n = 1; !progress.done && n < items.length; n += 3) {
      const itemId = items[n] as Id<'item'>;
      valueOf(await record.publisher.reviseItem({ itemId, changes: { title: `revised ${n}` } }));
      revised.push(itemId);
    }
  };
  const reading = read();
  const revising = revise();
  const ids = createIdSource({ clock, randomBytes });
  await recomposeItems({ database: store.database, clock, ids });
  progress.done = true;
  await revising;
  expect(await reading).toBeGreaterThan(0);

  const { rows } = await store.pool.query(
    `SELECT FROM record.item WHERE body_version < 2 OR body NOT LIKE '%"language":"en"%'`,
  );
  expect(rows).toEqual([]);
  const { rows: unfilled } = await store.pool.query(
    `SELECT FROM record.window_item WHERE source_id IS NULL OR language IS NULL`,
  );
  expect(unfilled).toEqual([]);
  // Only unselected items were revised meanwhile, so the ledger is unchanged.
  expect(await head()).toEqual(before);
  expect(await recomposeItems({ database: store.database, clock, ids })).toBe(0);
  const findings = await verifyRecord(store.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}, 60_000);
