import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, valueOf } from '../../test/factories/record-factory.ts';
import { retryConcurrentChanges } from '../foundation/database/concurrent-change.ts';
import type { Id } from '../foundation/ids.ts';
import type { Decisions } from './publish.ts';
import { verifyRecord } from './verify.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  await store.asSuperuser('CREATE TABLE public.note (what text)');
  await store.asSuperuser('GRANT SELECT, INSERT ON public.note TO daybook_application');
});
afterAll(() => store.drop());
beforeEach(() => {
  record = createRecordFactory({ database: store.database, clock });
});

function decideTogether<Value>(
  decideAll: (decisions: Decisions) => Promise<Value>,
  note = '',
): Promise<Value> {
  return retryConcurrentChanges(store.database, () =>
    store.database.transaction().execute(async (transaction) => {
      await sql`INSERT INTO public.note VALUES (${note})`.execute(transaction);
      return record.publisher.within(transaction, decideAll);
    }),
  );
}

const head = () => store.database.selectFrom('record.ledger_head').selectAll().executeTakeFirstOrThrow();
const notes = async (what: string): Promise<number> =>
  (await store.pool.query('SELECT FROM public.note WHERE what = $1', [what])).rows.length;

async function expectNoFindings(): Promise<void> {
  const findings = await verifyRecord(store.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}

describe('decisions within a caller’s transaction', () => {
  test('commit together with the caller’s rows and append their net effect to the ledger once', async () => {
    const before = await head();
    const itemId = await decideTogether(async (decisions) => {
      const published = valueOf(await decisions.publishItem(record.draft({ title: 'First' })));
      valueOf(await decisions.selectItem({ itemId: published.itemId, reason: 'It matters.' }));
      valueOf(await decisions.reviseItem({ itemId: published.itemId, changes: { title: 'Second' } }));
      valueOf(await decisions.openStory({ title: 'Event', itemIds: [published.itemId] }));
      return published.itemId;
    }, 'together');
    const after = await head();
    expect(await notes('together')).toBe(1);
    expect(after.position).toBe(before.position + 1n);
    expect(after.set_size).toBe(before.set_size + 1n);
    const [entry] = await store.database
      .selectFrom('record.ledger_entry')
      .selectAll()
      .where('item_id', '=', itemId)
      .execute();
    expect(entry).toMatchObject({ position: after.position, removed: false });
    await expectNoFindings();
  });

  test('are rolled back with the caller’s rows when the transaction fails', async () => {
    const itemId = record.ids.next<'item'>();
    const failing = decideTogether(async (decisions) => {
      valueOf(await decisions.publishItem(record.draft({ id: itemId })));
      throw new Error('the caller’s own fault');
    }, 'failed');
    await expect(failing).rejects.toThrow('the caller’s own fault');
    expect(await notes('failed')).toBe(0);
    expect(await record.publisher.selectItem({ itemId, reason: 'x' })).toEqual({
      ok: false,
      reason: 'unknown_item',
    });
  });

  test('that are refused leave no changes and do not affect the others', async () => {
    const groupId = record.ids.next<'reading-group'>();
    const known = await record.publish();
    const [again, other] = await decideTogether(async (decisions) => [
      await decisions.publishItem(record.draft({ id: known, groupId })),
      await decisions.publishItem(record.draft()),
    ]);
    expect(again).toEqual({ ok: false, reason: 'already_published' });
    expect(other).toMatchObject({ ok: true });
    const groups = await store.database
      .selectFrom('record.reading_group')
      .where('id', '=', groupId)
      .execute();
    expect(groups).toEqual([]);
    await expectNoFindings();
  });

  test('that select and unselect an item leave the ledger unchanged', async () => {
    const itemId = await record.publish();
    const before = await head();
    await decideTogether(async (decisions) => {
      valueOf(await decisions.selectItem({ itemId, reason: 'It matters.' }));
      valueOf(await decisions.unselectItem({ itemId }));
    });
    expect(await head()).toMatchObject({ position: before.position, set_hash: before.set_hash });
    await expectNoFindings();
  });

  test('run one after the other even if the caller does not await them', async () => {
    const itemId = await record.publish();
    const results = await decideTogether((decisions) =>
      Promise.all([
        decisions.selectItem({ itemId, reason: 'one' }),
        decisions.reviseItem({ itemId, changes: { reason: 'two' } }),
        decisions.withdrawItem({ itemId }),
        decisions.reviseItem({ itemId, changes: { title: 'late' } }),
      ]),
    );
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    await expectNoFindings();
  });

  test('run once per transaction, because the ledger’s head stays locked after them', async () => {
    const twice = store.database.transaction().execute(async (transaction) => {
      await record.publisher.within(transaction, async () => {});
      await record.publisher.within(transaction, async () => {});
    });
    await expect(twice).rejects.toThrow('all decisions of a transaction are made');
  });

  test('purge copies that show a withdrawn item and only mark other copies as stale', async () => {
    const tags = async () => {
      const rows = await store.database.selectFrom('record.representation_version').selectAll().execute();
      return new Map(rows.map((row) => [row.topic, row.purged]));
    };
    const [itemId, before] = [await record.publish(), await tags()];
    await decideTogether(async (decisions) => {
      valueOf(await decisions.publishItem(record.draft()));
      valueOf(await decisions.withdrawItem({ itemId }));
    });
    const after = await tags();
    expect(after.get('items')).toBe((before.get('items') ?? 0n) + 1n);
  });
});

test('four writers that each take several decisions in any order never deadlock or fail, and the record stays valid', async () => {
  const { ids } = record;
  const groups = Array.from({ length: 4 }, () => ids.next<'reading-group'>());
  const items: Id<'item'>[] = [];
  for (let n = 0; n < 16; n += 1) items.push(await record.publish({ groupId: groups[n % 4]!, hoursAgo: n }));
  const stories: Id<'story'>[] = [];
  for (let n = 0; n < 4; n += 1) {
    const opened = await record.publisher.openStory({
      title: `story ${n}`,
      itemIds: items.slice(n * 4, n * 4 + 4),
    });
    stories.push(valueOf(opened).storyId);
  }
  const deadlocks = async (): Promise<number> => {
    const [row] = await store.asSuperuser(`
      SELECT pg_stat_force_next_flush(), deadlocks::int AS count FROM pg_stat_database
      WHERE datname = current_database()`);
    return (row as { count: number }).count;
  };
  const deadlocksBefore = await deadlocks();

  const write = async (seed: number): Promise<void> => {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const anItem = (): Id<'item'> => items[random(items.length)]!;
    const aStory = (): Id<'story'> => stories[random(stories.length)]!;
    const one = (decisions: Decisions): Promise<unknown> =>
      [
        () => decisions.selectItem({ itemId: anItem(), reason: `reason ${random(3)}` }),
        () => decisions.unselectItem({ itemId: anItem() }),
        () => decisions.reviseItem({ itemId: anItem(), changes: { title: `title ${random(9)}` } }),
        () => decisions.regroupItem({ itemId: anItem(), groupId: groups[random(4)]! }),
        () => decisions.assignToStory({ storyId: aStory(), itemIds: [anItem(), anItem()] }),
        () => decisions.reviseStory({ storyId: aStory(), changes: { title: `story ${random(9)}` } }),
      ][random(6)]!();
    for (let n = 0; n < 30; n += 1) {
      await decideTogether(async (decisions) => {
        for (let step = 0; step < 4; step += 1) await one(decisions);
      });
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  expect(await deadlocks()).toBe(deadlocksBefore);
  await expectNoFindings();
}, 60_000);
