import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus, workflowStatus } from '../../../test/engine.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { instantToMs, isoMilliseconds } from '../../foundation/instant.ts';
import { editions as recordEditions } from '../../record/index.ts';
import { editionSets, issueEdition } from './compile-edition.ts';
import { replayEdition } from './replay-edition.ts';

// Wednesday in Shanghai, half an hour before the daily of the last but one day of the year.
const clock = createTestClock('2026-12-29T23:30:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let engine: TestEngine | undefined;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => store.drop());

async function startEditions(): Promise<void> {
  const editions = editionSets({ clock, publisher: record.publisher, language: 'en', aliases: [] });
  // The delay after a failure passes in real time.
  const impatient = editions.map((set) => ({ ...set, retryAfterMs: 0 }));
  engine = await startTestEngine(store, { editions: impatient }, { clock });
}

const publishStory = async (...drafts: readonly Parameters<typeof record.publish>[0][]) => {
  const itemIds = [];
  for (const draft of drafts) itemIds.push(await record.publishSelected(draft));
  const [first] = itemIds;
  if (first === undefined) throw new Error('a story has reports');
  const { storyId } = valueOf(await record.publisher.openStory({ title: 'An event', itemIds }));
  return { storyId, itemIds };
};

const editions = () =>
  store.database
    .selectFrom('record.edition')
    .innerJoin('record.edition_revision', (join) =>
      join
        .onRef('record.edition_revision.kind', '=', 'record.edition.kind')
        .onRef('record.edition_revision.period', '=', 'record.edition.period'),
    )
    .select(['record.edition.kind', 'record.edition.period', 'generated_at', 'headline', 'sections'])
    .orderBy('record.edition.kind')
    .orderBy('record.edition.period')
    .execute();

const itemsOf = async (kind: string, period: string) =>
  (
    await store.database
      .selectFrom('record.edition_citation')
      .select('item_id')
      .where('kind', '=', kind)
      .where('period', '=', period)
      .orderBy('section')
      .orderBy('position')
      .execute()
  ).map(({ item_id }) => item_id);

test('a daily is published at its hour with the selected items, each story once, and its time', async () => {
  const { itemIds } = await publishStory(
    { sourceName: 'A', hoursAgo: 5, score: 60, title: 'Halden opens an office in Ostrava' },
    { sourceName: 'B', hoursAgo: 4, score: 90, title: 'Halden goes to Ostrava' },
  );
  await record.publish({ hoursAgo: 1, score: 99, title: 'Nobody chose this' });
  // Found now, and published before the window and its extra day.
  await record.publishSelected({ publishedAt: hoursBefore(clock.now(), 50), title: 'Older' });
  await startEditions();
  clock.set('2026-12-29T23:59:59.999Z');
  expect(await editions()).toEqual([]);
  clock.set('2026-12-30T00:00:07.000Z');
  await untilStatus(store, 'daily-report/2026-12-30', 'SUCCESS');
  expect(await editions()).toEqual([
    {
      kind: 'daily',
      period: '2026-12-30',
      generated_at: '2026-12-30 00:00:07+00',
      headline: 'Halden goes to Ostrava',
      sections: [{ key: 'ai-models', label: 'Models' }],
    },
  ]);
  expect(await itemsOf('daily', '2026-12-30')).toEqual([itemIds[1]]);
  // No item was selected before, so no edition of an earlier day is missing.
  expect(await workflowStatus(store, 'daily-report/2026-12-29')).toBeUndefined();
}, 40_000);

test('after an outage missing editions are compiled, oldest first, across the end of week 53, month and year', async () => {
  const found = [];
  for (const day of ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03']) {
    clock.set(`${day}T06:00:00.000Z`);
    found.push(await record.publishSelected({ title: `News of ${day}` }));
  }
  clock.set('2027-01-04T20:00:00.000Z');
  await startEditions();
  await untilStatus(store, 'monthly-report/2026-12', 'SUCCESS');
  const made = await editions();
  expect(made.map(({ kind, period }) => `${kind} ${period}`)).toEqual([
    ...['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04'].map(
      (day) => `daily ${day}`,
    ),
    'monthly 2026-12',
    'weekly 2026-W53',
  ]);
  expect(new Set(made.slice(1).map(({ generated_at }) => generated_at))).toEqual(
    new Set(['2027-01-04 20:00:00+00']),
  );
  expect(await itemsOf('daily', '2026-12-31')).toEqual([found[0]]);
  const [ofDaily30] = await itemsOf('daily', '2026-12-30');
  const weekly = new Set([ofDaily30, ...found.slice(0, 4)]);
  expect(new Set(await itemsOf('weekly', '2026-W53'))).toEqual(weekly);
  expect(new Set(await itemsOf('monthly', '2026-12'))).toEqual(new Set([ofDaily30, found[0]]));
}, 60_000);

test('an empty window fails until an item published in it is found; a reported story needs a new fact', async () => {
  clock.set('2027-01-05T04:00:00.000Z');
  await startEditions();
  await untilStatus(store, 'daily-report/2027-01-05', 'ERROR');
  const { storyId } = await publishStory({
    sourceName: 'A',
    title: 'Tarn buys Quill',
    summary: 'Tarn has bought Quill for $20 million.',
    publishedAt: hoursBefore(clock.now(), 6),
  });
  await untilStatus(store, 'daily-report/2027-01-05', 'SUCCESS');
  const tell = async (sourceName: string, summary: string) => {
    const itemId = await record.publishSelected({ sourceName, summary, title: 'Tarn and Quill' });
    valueOf(await record.publisher.assignToStory({ storyId, itemIds: [itemId] }));
    return itemId;
  };
  clock.advance({ hours: 1 });
  await tell('B', 'Quill is now part of Tarn, for $20 million.');
  const other = await record.publishSelected({ sourceName: 'C', title: 'Something else' });
  clock.advance({ hours: 1 });
  const added = await tell('D', 'Tarn paid $25 million for Quill.');
  valueOf(await record.publisher.withdrawItem({ itemId: added }));
  clock.set('2027-01-06T00:00:00.000Z');
  await untilStatus(store, 'daily-report/2027-01-06', 'SUCCESS');
  expect(await itemsOf('daily', '2027-01-06')).toEqual([other]);
  const corrected = await tell('D', 'Tarn paid $25 million for Quill.');
  clock.set('2027-01-07T00:00:00.000Z');
  await untilStatus(store, 'daily-report/2027-01-07', 'SUCCESS');
  expect(await itemsOf('daily', '2027-01-07')).toEqual([corrected]);
}, 60_000);

test('at any time each missing edition of the last weeks is due, and none before its hour', () => {
  const sets = editionSets({ clock, publisher: record.publisher, language: 'en', aliases: [] });
  const kinds = ['daily', 'weekly', 'monthly'] as const;
  const edges = [2020, 2024, 2026, 2032].flatMap((year) => [
    Date.UTC(year, 11, 31, 0),
    Date.UTC(year + 1, 0, 1, 2, 30),
    Date.UTC(year, 1, 29, 0),
  ]);
  const times = fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -5 * 86_400_000, max: 5 * 86_400_000 }))
    .map(([edge, offset]) => edge + offset);
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 45 * 86_400_000 }), (nowMs, laterMs) => {
      for (const [at, kind] of kinds.entries()) {
        const due = sets[at]?.due(nowMs) ?? [];
        const dueAt = (label: string): number =>
          instantToMs(recordEditions.editionCalendar[kind].due(label as never));
        expect(due.every((label) => dueAt(label) <= nowMs)).toBe(true);
        expect(due).toEqual(due.toSorted((one, other) => dueAt(one) - dueAt(other)));
        // No edition is omitted between this time and a later one.
        const later = sets[at]?.due(nowMs + laterMs) ?? [];
        const fresh = later.filter((label) => !due.includes(label));
        expect(fresh.every((label) => dueAt(label) > nowMs)).toBe(true);
        expect(new Set(later).size).toBe(later.length);
        const gaps = later.slice(1).map((label, index) => dueAt(label) - dueAt(later[index] as string));
        expect(gaps.every((gap) => gap <= { daily: 1, weekly: 7, monthly: 31 }[kind] * 86_400_000)).toBe(
          true,
        );
      }
    }),
  );
});

test('a daily compiled after the next one still contains the items of its own day', async () => {
  clock.set('2027-01-10T06:00:00.000Z');
  const item = await record.publishSelected({ title: 'News of the tenth of January' });
  clock.set('2027-01-12T01:00:00.000Z');
  const contents = {
    headline: 'The next one',
    overview: 'The next one.',
    headlineCites: [item],
    overviewCites: [item],
    sections: [{ key: 'ai-models', label: 'Models', itemIds: [item] }],
    flashes: [],
  };
  valueOf(await record.publisher.issueEdition({ kind: 'daily', period: '2027-01-12', contents }));
  await startEditions();
  await untilStatus(store, 'daily-report/2027-01-11', 'SUCCESS');
  expect(await itemsOf('daily', '2027-01-11')).toEqual([item]);
}, 40_000);

/** An item that was not selected, with the entry and the source of the newsroom that it came from. */
async function publishUnselected(
  title: string,
  { score, participation = 'editorial' }: { readonly score: number; readonly participation?: string },
): Promise<Id<'item'>> {
  const sourceName = `Source of ${title}`;
  const itemId = await record.publish({ title, sourceName, score, summary: `${title}.` });
  await store.asSuperuser(
    `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ($1 || '.example', now()) RETURNING name),
     source AS (INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form,
         domain, created_at, state, due_at)
       SELECT $1::uuid, $2, $2, false, 2, $3, 'https://' || name, '{"kind": "feed"}', name, now(), 'active', now()
       FROM site RETURNING id)
     INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
     SELECT $1::uuid, id, 'https://wire.example/' || $1, $4, $4, $5, false FROM source`,
    [itemId, sourceName, participation, title, isoMilliseconds(clock.now())],
  );
  return itemId;
}

test('a daily with two selected stories is filled up with relevant news that was not selected, and replays', async () => {
  clock.set('2027-01-12T06:00:00.000Z');
  const selected = [
    await record.publishSelected({ sourceName: 'A', title: 'Tarn opens its language model' }),
    await record.publishSelected({ sourceName: 'B', title: 'Quill buys a maker of AI chips' }),
  ];
  await record.publishSelected({ sourceName: 'C', title: 'Morning briefing: a model, a chip and a court' });
  await record.publishSelected({ sourceName: 'D', title: 'Correction: the price of Quill 2' });
  const fillers = [
    await publishUnselected('OpenAI releases a language model with open weights', { score: 30 }),
    await publishUnselected('Anthropic raises $5 billion for its language models', { score: 20 }),
  ];
  await publishUnselected('Senate votes down the tax bill after a night of speeches', { score: 49 });
  await publishUnselected('Anthropic is hiring a research engineer for Claude', { score: 49 });
  const signal = { score: 49, participation: 'signal' };
  await publishUnselected('Google releases Gemini 9 with two million tokens of context', signal);
  const deps = { clock, publisher: record.publisher, language: 'en', aliases: [] } as const;
  await startEditions();
  clock.set('2027-01-13T00:00:00.000Z');
  await untilStatus(store, 'daily-report/2027-01-13', 'SUCCESS');
  expect(new Set(await itemsOf('daily', '2027-01-13'))).toEqual(new Set([...selected, ...fillers]));
  const key = { kind: 'daily', period: '2027-01-13' } as const;
  const shown = await recordEditions.readEdition(store.database, 'daily', key.period);
  expect(shown).toMatchObject({ unselectedCount: 2 });
  expect((await replayEdition(store.database, { language: 'en', aliases: [] }, key)).outcome).toBe('same');
  await engine?.stop(5_000);
  engine = undefined;
  // The entries of the dailies fill up the week in the same way.
  clock.set('2027-01-18T09:00:00.000Z');
  await store.database
    .transaction()
    .execute((transaction) => issueEdition(deps, transaction, { kind: 'weekly', period: '2027-W02' }));
  expect(await recordEditions.readEdition(store.database, 'weekly', '2027-W02')).toMatchObject({
    unselectedCount: 2,
  });
  const filler = fillers[0] as Id<'item'>;
  valueOf(await record.publisher.withdrawItem({ itemId: filler, reason: 'Made up.' }));
  expect(await recordEditions.readEdition(store.database, 'daily', key.period)).toMatchObject({
    unselectedCount: 1,
  });
}, 60_000);

test('an edition is reproduced byte for byte from stored material after its items have changed', async () => {
  const settings = { language: 'en', aliases: [] } as const;
  const key = { kind: 'daily', period: '2026-12-30' } as const;
  const replay = () => replayEdition(store.database, settings, key);
  const [itemId] = await itemsOf(key.kind, key.period);
  const made = await replay();
  expect(made).toEqual({ outcome: 'same', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  valueOf(
    await record.publisher.reviseItem({
      itemId: itemId as Id<'item'>,
      changes: { title: 'Halden goes elsewhere', category: 'tip', score: 1 },
    }),
  );
  expect(await replay()).toEqual(made);
  expect(await replayEdition(store.database, { ...settings, language: 'zh' }, key)).toEqual({
    outcome: 'other rules',
    hash: null,
    release: null,
  });
  valueOf(await record.publisher.withdrawItem({ itemId: itemId as Id<'item'>, reason: 'Made up.' }));
  expect(await replay()).toEqual({ outcome: 'redacted', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const words = await store.database
    .selectFrom('record.item_words')
    .select('words')
    .where('item_id', '=', itemId as string)
    .execute();
  // As a candidate, and as a previously published item with its article.
  expect(words).toEqual([{ words: null }, { words: null }]);
  // Articles of third parties: no login that serves readers may read them.
  const [privilege] = await store.asSuperuser(
    `SELECT has_table_privilege('daybook_news_reader', 'record.item_words', 'SELECT') AS readable`,
  );
  expect(privilege).toEqual({ readable: false });
  const unknown = { ...key, period: '2020-01-01' };
  expect((await replayEdition(store.database, settings, unknown)).outcome).toBe('not stored');
});
