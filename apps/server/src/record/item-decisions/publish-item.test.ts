import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../../test/factories/record-factory.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { withBaseUrl } from '../items/item-body.ts';

let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
const clock = createTestClock('2026-11-15T08:00:00.000Z');

beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());

async function shown(id: Id<'item'>) {
  const row = await store.database
    .selectFrom('record.window_item')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    ...row,
    timelineKey: fromTimestamptz(row.timeline_key),
    publishedKey: fromTimestamptz(row.published_key),
    item: JSON.parse(withBaseUrl(row.body, 'https://daybook.example')) as Record<string, unknown>,
  };
}

async function ledgerOf(id: Id<'item'>) {
  return store.database
    .selectFrom('record.ledger_entry')
    .select(['position', 'removed'])
    .where('item_id', '=', id)
    .executeTakeFirst();
}

async function cacheTags() {
  const rows = await store.database.selectFrom('record.representation_version').selectAll().execute();
  return new Map(rows.map((row) => [row.topic, row]));
}

describe('timeline keys', () => {
  const now = clock.now();
  test('an ordinary item sorts at its time of discovery', async () => {
    const id = await record.publish({ hoursAgo: 2, publishedAt: hoursBefore(now, 20) });
    expect(await shown(id)).toMatchObject({
      timelineKey: hoursBefore(now, 2),
      publishedKey: hoursBefore(now, 20),
    });
  });
  test('an item found more than 72 hours after publication sorts at its publication time', async () => {
    const late = await record.publish({ hoursAgo: 2, publishedAt: hoursBefore(now, 74.001) });
    const justNot = await record.publish({ hoursAgo: 2, publishedAt: hoursBefore(now, 74) });
    expect((await shown(late))?.timelineKey).toBe(hoursBefore(now, 74.001));
    expect((await shown(justNot))?.timelineKey).toBe(hoursBefore(now, 2));
  });
  test('an item from its source’s first import sorts at its publication time', async () => {
    const id = await record.publish({ hoursAgo: 2, publishedAt: hoursBefore(now, 3), firstImport: true });
    expect((await shown(id))?.timelineKey).toBe(hoursBefore(now, 3));
  });
  test('without a publication time both keys are the time of discovery', async () => {
    const id = await record.publish({ hoursAgo: 1, firstImport: true });
    expect(await shown(id)).toMatchObject({
      timelineKey: hoursBefore(now, 1),
      publishedKey: hoursBefore(now, 1),
    });
  });
  test('an item is refused if its key would be later than its discovery or its discovery is in the future', async () => {
    const { publisher, draft } = record;
    const refusal = { ok: false, reason: 'impossible_times' };
    expect(await publisher.publishItem(draft({ hoursAgo: 2, publishedAt: hoursBefore(now, 1) }))).toEqual(
      refusal,
    );
    expect(await publisher.publishItem(draft({ hoursAgo: -1 }))).toEqual(refusal);
  });
  test('a selected representative sorts where its group first appeared, and moves with it', async () => {
    const groupId = record.ids.next<'reading-group'>();
    const first = await record.publish({ groupId, hoursAgo: 9 });
    const chosen = await record.publishSelected({ groupId, hoursAgo: 3 });
    expect((await shown(chosen))?.timelineKey).toBe(hoursBefore(now, 9));
    const earlier = await record.publish({ groupId, hoursAgo: 12 });
    expect((await shown(chosen))?.timelineKey).toBe(hoursBefore(now, 12));
    await record.publisher.withdrawItem({ itemId: earlier });
    expect((await shown(chosen))?.timelineKey).toBe(hoursBefore(now, 9));
    await record.publisher.regroupItem({ itemId: first, groupId: record.ids.next() });
    expect((await shown(chosen))?.timelineKey).toBe(hoursBefore(now, 3));
    await record.publisher.regroupItem({ itemId: first, groupId });
    await record.publisher.unselectItem({ itemId: chosen });
    expect((await shown(chosen))?.timelineKey).toBe(hoursBefore(now, 3));
  });
});

test('publishing the same item twice is refused the second time', async () => {
  const item = record.draft({ id: record.ids.next() });
  valueOf(await record.publisher.publishItem(item));
  expect(await record.publisher.publishItem(item)).toEqual({ ok: false, reason: 'already_published' });
});

test('an item discovered more than eight days ago is stored in the archive only', async () => {
  const id = await record.publish({ hoursAgo: 8 * 24 });
  expect(await shown(id)).toBeNull();
  expect(await shown(await record.publish({ hoursAgo: 8 * 24 - 0.001 }))).not.toBeNull();
});

test('publishing creates a missing partition once the clock has passed the last one', async () => {
  clock.advance({ days: 30 });
  const id = await record.publish();
  expect(await shown(id)).not.toBeNull();
  const { rows } = await sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'record.window_item'::regclass ORDER BY 1`.execute(store.database);
  expect(rows.map(({ name }) => name)).toEqual(
    ['07', '08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18'].map(
      (day) => `record.window_item_202612${day}`,
    ),
  );
});

describe('selecting an item', () => {
  test('replaces the group’s former representative in one transaction, and both enter the ledger', async () => {
    const groupId = record.ids.next<'reading-group'>();
    const former = await record.publishSelected({ groupId, hoursAgo: 2 });
    const before = await ledgerOf(former);
    const itemId = await record.publish({ groupId });
    expect(await record.publisher.selectItem({ itemId, reason: 'Says more.' })).toEqual({
      ok: true,
      value: { replaced: former },
    });
    expect(before?.removed).toBe(false);
    expect(await ledgerOf(former)).toEqual({ position: before!.position + 1n, removed: true });
    expect(await ledgerOf(itemId)).toEqual({ position: before!.position + 2n, removed: false });
    expect((await shown(itemId))?.item).toMatchObject({ selected: true, reason: 'Says more.' });
    expect((await shown(former))?.item).toMatchObject({ selected: false, reason: null });
  });

  test('changes nothing with the same reason and adds a position with another reason', async () => {
    const itemId = await record.publishSelected();
    const first = await ledgerOf(itemId);
    await record.publisher.selectItem({ itemId, reason: 'It matters.' });
    expect(await ledgerOf(itemId)).toEqual(first);
    await record.publisher.selectItem({ itemId, reason: 'It matters more.' });
    expect((await ledgerOf(itemId))?.position).toBe(first!.position + 1n);
    // The source's text has not changed.
    expect((await shown(itemId))?.item['revisedAt']).toBeNull();
  });
});

test('a source can be described before and after it publishes, and its first name stays', async () => {
  const source = { ...record.source('The Herald'), firstParty: true };
  const profile = { homepageUrl: 'https://herald.example/', language: 'en', state: 'active' } as const;
  await record.publisher.describeSource({ source, profile });
  await record.publish({ source: { ...source, name: 'Herald' } });
  await record.publisher.describeSource({ source, profile: { ...profile, state: 'paused' } });
  const row = await store.database
    .selectFrom('record.source')
    .selectAll()
    .where('id', '=', source.id)
    .executeTakeFirst();
  expect(row).toMatchObject({
    name: 'The Herald',
    first_party: true,
    homepage_url: 'https://herald.example/',
    language: 'en',
    state: 'paused',
  });
});

describe('revising an item', () => {
  test('changes every projection and gives a selected item a new position', async () => {
    const itemId = await record.publishSelected({
      title: 'Before',
      publishedAt: hoursBefore(clock.now(), 1),
    });
    const first = await ledgerOf(itemId);
    const publishedAt = hoursBefore(clock.now(), 5);
    await record.publisher.reviseItem({ itemId, changes: { title: 'Ａfter', publishedAt, category: 'tip' } });
    const row = await shown(itemId);
    expect(row).toMatchObject({ publishedKey: publishedAt, category: 'tip' });
    expect(row?.item['title']).toBe('Ａfter');
    expect(row?.item['revisedAt']).toBe(isoMilliseconds(clock.now()));
    expect(row?.search_text).toContain('after');
    expect((await ledgerOf(itemId))?.position).toBe(first!.position + 1n);
  });
  test('adds no position if nothing changes', async () => {
    const itemId = await record.publishSelected({ title: 'Same' });
    const first = await ledgerOf(itemId);
    expect(await record.publisher.reviseItem({ itemId, changes: { title: 'Same' } })).toEqual({
      ok: true,
      value: 'unchanged',
    });
    expect(await ledgerOf(itemId)).toEqual(first);
  });
  test('adds a position for a new score alone, so that copies do not go stale', async () => {
    const itemId = await record.publishSelected({ score: 1 });
    const first = await ledgerOf(itemId);
    await record.publisher.reviseItem({ itemId, changes: { score: 2 } });
    expect((await ledgerOf(itemId))?.position).toBe(first!.position + 1n);
  });
});

describe('withdrawing an item', () => {
  test('erases its text, removes it from window and selected set and purges copies at once', async () => {
    const itemId = await record.publishSelected({ title: 'Secret words' });
    const size = async () =>
      (await store.database.selectFrom('record.ledger_head').selectAll().executeTakeFirstOrThrow()).set_size;
    const [sizeBefore, tagsBefore] = [await size(), await cacheTags()];
    await record.publisher.withdrawItem({ itemId });
    expect(await shown(itemId)).toBeNull();
    const { rows } = await sql<{ dump: string }>`
      SELECT item::text AS dump FROM record.item WHERE id = ${itemId}`.execute(store.database);
    expect(rows[0]?.dump).not.toMatch(/Secret|wire\.example|matters/);
    expect((await ledgerOf(itemId))?.removed).toBe(true);
    expect(await size()).toBe(sizeBefore - 1n);
    const tagsAfter = await cacheTags();
    for (const tag of ['items', 'hot-topics', 'stories', 'reports', 'selected']) {
      expect(tagsAfter.get(tag)?.purged).toBe((tagsBefore.get(tag)?.purged ?? 0n) + 1n);
    }
  });
  test('leaves the ledger unchanged if the item was never selected', async () => {
    const itemId = await record.publish();
    await record.publisher.withdrawItem({ itemId });
    expect(await ledgerOf(itemId)).toBeUndefined();
  });
  test('is final: every later decision about the item is refused', async () => {
    const itemId = await record.publish();
    await record.publisher.withdrawItem({ itemId });
    const refusal = { ok: false, reason: 'withdrawn_item' };
    expect(await record.publisher.selectItem({ itemId, reason: 'x' })).toEqual(refusal);
    expect(await record.publisher.reviseItem({ itemId, changes: { title: 'x' } })).toEqual(refusal);
    expect(await record.publisher.withdrawItem({ itemId })).toEqual(refusal);
  });
});

test('a fence that throws prevents the whole decision', async () => {
  const fenced = createRecordFactory({
    database: store.database,
    clock,
    fence: () => Promise.reject(new Error('another process took over')),
  });
  const item = fenced.draft({ id: fenced.ids.next() });
  await expect(fenced.publisher.publishItem(item)).rejects.toThrow('took over');
  expect(await shown(item.id!)).toBeNull();
});
