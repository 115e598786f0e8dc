import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { readContents } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import { neutralOverview } from './edition.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());

function contentsOf(itemIds: readonly Id<'item'>[], more: Partial<EditionContents> = {}): EditionContents {
  return {
    headline: 'Headline',
    overview: 'Overview',
    headlineCites: [],
    overviewCites: [],
    sections: [{ key: 'models', label: 'Models', itemIds }],
    flashes: [],
    ...more,
  };
}

async function current(key: EditionKey) {
  const { revision } = await store.database
    .selectFrom('record.edition')
    .select('revision')
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .executeTakeFirstOrThrow();
  const corrections = await store.database
    .selectFrom('record.edition_correction')
    .select(['revision', 'note'])
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .orderBy('revision')
    .execute();
  return { revision, corrections, contents: await readContents(store.database, key, revision) };
}

describe('issuing an edition', () => {
  test('stores the contents in order', async () => {
    const items = [
      await record.publish(),
      await record.publish(),
      await record.publish(),
      await record.publish(),
    ];
    const contents = contentsOf([items[2]!, items[0]!], {
      headlineCites: [items[0]!],
      flashes: [items[3]!, items[1]!],
    });
    const key: EditionKey = { kind: 'daily', period: '2026-11-01' };
    expect(await record.publisher.issueEdition({ ...key, contents })).toEqual({
      ok: true,
      value: { revision: 1 },
    });
    expect(await current(key)).toEqual({ revision: 1, corrections: [], contents });
  });
  test('covers the 24 hours before 08:00 in Shanghai, or for a week or month the windows of its dailies', async () => {
    const contents = contentsOf([await record.publish()]);
    await record.publisher.issueEdition({ kind: 'daily', period: '2026-10-01', contents });
    await record.publisher.issueEdition({ kind: 'weekly', period: '2026-W40', contents });
    await record.publisher.issueEdition({ kind: 'monthly', period: '2026-10', contents });
    const { rows } = await sql`
      SELECT kind, period_start, period_end, window_start AT TIME ZONE 'Asia/Shanghai' || '' AS start,
        window_end AT TIME ZONE 'Asia/Shanghai' || '' AS end
      FROM record.edition WHERE period IN ('2026-10-01', '2026-W40', '2026-10') ORDER BY kind`.execute(
      store.database,
    );
    expect(rows).toEqual([
      {
        kind: 'daily',
        period_start: '2026-10-01',
        period_end: '2026-10-01',
        start: '2026-09-30 08:00:00',
        end: '2026-10-01 08:00:00',
      },
      {
        kind: 'monthly',
        period_start: '2026-10-01',
        period_end: '2026-10-31',
        start: '2026-09-30 08:00:00',
        end: '2026-10-31 08:00:00',
      },
      {
        kind: 'weekly',
        period_start: '2026-09-28',
        period_end: '2026-10-04',
        start: '2026-09-27 08:00:00',
        end: '2026-10-04 08:00:00',
      },
    ]);
  });
  test('is refused for an empty edition, a second one of the same period and an invalid period', async () => {
    const contents = contentsOf([await record.publish()]);
    const issue = (key: EditionKey, what = contents) =>
      record.publisher.issueEdition({ ...key, contents: what });
    const key: EditionKey = { kind: 'weekly', period: '2026-W41' };
    expect(await issue(key, contentsOf([]))).toEqual({ ok: false, reason: 'empty_edition' });
    expect((await issue(key)).ok).toBe(true);
    expect(await issue(key)).toEqual({ ok: false, reason: 'already_issued' });
    expect(await issue({ kind: 'weekly', period: '2027-W53' })).toEqual({
      ok: false,
      reason: 'impossible_period',
    });
  });
  test('is refused for citations that are withdrawn, unknown, repeated or not in it', async () => {
    const [item, withdrawn] = [await record.publish(), await record.publish()];
    valueOf(await record.publisher.withdrawItem({ itemId: withdrawn }));
    const issue = (contents: EditionContents) =>
      record.publisher.issueEdition({ kind: 'daily', period: '2026-11-02', contents });
    expect(await issue(contentsOf([withdrawn]))).toEqual({ ok: false, reason: 'withdrawn_item' });
    expect(await issue(contentsOf([record.ids.next()]))).toEqual({ ok: false, reason: 'unknown_item' });
    expect(await issue(contentsOf([item], { flashes: [item] }))).toEqual({
      ok: false,
      reason: 'repeated_item',
    });
    expect(await issue(contentsOf([item], { overviewCites: [withdrawn] }))).toEqual({
      ok: false,
      reason: 'cites_outside_edition',
    });
  });
});

describe('a withdrawn item', () => {
  test('is removed from every edition that cites it, with a new revision, a note and all text written from it', async () => {
    const [stays, leaves] = [await record.publish(), await record.publish()];
    const keys: EditionKey[] = [
      { kind: 'daily', period: '2026-11-03' },
      { kind: 'weekly', period: '2026-W45' },
    ];
    const contents = contentsOf([stays], {
      headline: 'Words from the withdrawn one',
      headlineCites: [leaves],
      overviewCites: [stays],
      sections: [
        { key: 'models', label: 'Models', itemIds: [stays] },
        { key: 'tips', label: 'Tips', itemIds: [leaves] },
      ],
    });
    for (const key of keys) valueOf(await record.publisher.issueEdition({ ...key, contents }));
    const other: EditionKey = { kind: 'daily', period: '2026-11-04' };
    valueOf(await record.publisher.issueEdition({ ...other, contents: contentsOf([stays]) }));
    expect(await record.publisher.withdrawItem({ itemId: leaves })).toMatchObject({
      ok: true,
      value: { revisedEditions: keys },
    });
    expect(await current(keys[0]!)).toEqual({
      revision: 2,
      corrections: [{ revision: 2, note: 'An item cited here was withdrawn.' }],
      contents: {
        ...contents,
        headline: 'Daily report of 2026-11-03',
        headlineCites: [],
        sections: [{ key: 'models', label: 'Models', itemIds: [stays] }],
      },
    });
    expect((await current(other)).revision).toBe(1);
    const { rows } = await sql`
      SELECT FROM record.edition_revision WHERE headline LIKE 'Words from%'`.execute(store.database);
    expect(rows).toEqual([]);
  });
});

describe('correcting an edition', () => {
  test('adds a note and a revision and purges copies, while revising only makes copies stale', async () => {
    const contents = contentsOf([await record.publish()]);
    const key: EditionKey = { kind: 'daily', period: '2026-11-05' };
    valueOf(await record.publisher.issueEdition({ ...key, contents }));
    const purged = async (): Promise<bigint> =>
      (
        await store.database
          .selectFrom('record.representation_version')
          .select('purged')
          .where('topic', '=', 'reports')
          .executeTakeFirstOrThrow()
      ).purged;
    const before = await purged();
    valueOf(await record.publisher.reviseEdition({ ...key, contents: { ...contents, headline: 'Better' } }));
    expect(await purged()).toBe(before);
    valueOf(await record.publisher.correctEdition({ ...key, note: 'A name was wrong.' }));
    expect(await purged()).toBe(before + 1n);
    expect(await current(key)).toEqual({
      revision: 3,
      corrections: [{ revision: 3, note: 'A name was wrong.' }],
      contents: { ...contents, headline: 'Better' },
    });
  });
  test('leaves an overview that was withdrawn with an item as readers saw it', async () => {
    const [gone, other] = [await record.publish(), await record.publish()];
    const key: EditionKey = { kind: 'daily', period: '2026-11-08' };
    const contents = contentsOf([gone, other], { overview: 'About one of them.', overviewCites: [gone] });
    valueOf(await record.publisher.issueEdition({ ...key, contents }));
    valueOf(await record.publisher.withdrawItem({ itemId: gone }));
    const written = contentsOf([other], { overview: 'About the other one.' });
    const note = 'It has an overview again.';
    valueOf(await record.publisher.correctEdition({ ...key, note, contents: written }));
    const revisions = await store.database
      .selectFrom('record.edition_revision')
      .select('overview')
      .where('period', '=', key.period)
      .orderBy('revision')
      .execute();
    expect(revisions.map(({ overview }) => overview)).toEqual([
      neutralOverview,
      neutralOverview,
      'About the other one.',
    ]);
  });
  test('adds nothing when repeated with the same key, as after a crash; revising likewise', async () => {
    const contents = contentsOf([await record.publish()]);
    const key: EditionKey = { kind: 'daily', period: '2026-11-06' };
    valueOf(await record.publisher.issueEdition({ ...key, contents }));
    const correction = { ...key, note: 'A name was wrong.', idempotencyKey: 'correction 1' };
    expect(valueOf(await record.publisher.correctEdition(correction))).toEqual({ revision: 2 });
    const revision = { ...key, contents: { ...contents, headline: 'Better' }, idempotencyKey: 'revision 1' };
    expect(valueOf(await record.publisher.reviseEdition(revision))).toEqual({ revision: 3 });
    expect(valueOf(await record.publisher.correctEdition(correction))).toEqual({ revision: 2 });
    expect(valueOf(await record.publisher.reviseEdition(revision))).toEqual({ revision: 3 });
    expect(await current(key)).toMatchObject({
      revision: 3,
      corrections: [{ revision: 2, note: 'A name was wrong.' }],
    });
  });
  test('is refused for an edition that was never issued', async () => {
    const key: EditionKey = { kind: 'daily', period: '2020-01-01' };
    expect(await record.publisher.correctEdition({ ...key, note: 'x' })).toEqual({
      ok: false,
      reason: 'unknown_edition',
    });
  });
});

describe('a corrected item', () => {
  test('is corrected in every edition that shows it, and text based on the error is removed', async () => {
    const [wrong, other] = [
      await record.publish({ title: 'Forty of them', summary: 'There are 40.' }),
      await record.publish(),
    ];
    const key: EditionKey = { kind: 'daily', period: '2026-11-07' };
    const contents = contentsOf([wrong, other], {
      headline: 'Forty of them',
      headlineCites: [wrong],
      overview: 'There are 40. And more.',
      overviewCites: [wrong, other],
    });
    valueOf(await record.publisher.issueEdition({ ...key, contents }));
    const correct = (changes: object) =>
      record.publisher.correctItem({ itemId: wrong, changes, reason: 'It was a typing error.' });
    expect(valueOf(await correct({ title: 'Fourteen of them' })).revisedEditions).toEqual([key]);
    expect(await current(key)).toEqual({
      revision: 2,
      corrections: [{ revision: 2, note: 'An item cited here was corrected. It was a typing error.' }],
      contents: { ...contents, headline: 'Fourteen of them' },
    });
    valueOf(await correct({ summary: 'There are 14.' }));
    expect((await current(key)).contents).toEqual({
      ...contents,
      headline: 'Fourteen of them',
      overview: 'This overview was withdrawn: an item it was written from was corrected.',
      overviewCites: [],
    });
    expect(await correct({ summary: 'There are 14.' })).toEqual({ ok: false, reason: 'nothing_corrected' });
  });
});

describe('a correction', () => {
  const correctionsOf = (subject: string) =>
    store.database.selectFrom('record.correction').selectAll().where('subject', '=', subject).execute();

  test('is published beside its subject with the salted hash of the previous value', async () => {
    const itemId = await record.publish();
    const { body_hash } = await store.database
      .selectFrom('record.log_entry')
      .select('body_hash')
      .where('subject', '=', itemId)
      .executeTakeFirstOrThrow();
    expect(body_hash).toHaveLength(32);
    valueOf(await record.publisher.withdrawItem({ itemId, reason: 'It was made up.' }));
    expect(await correctionsOf(itemId)).toMatchObject([
      {
        action: 'withdrawn',
        subject_kind: 'item',
        reason: 'It was made up.',
        before_hash: body_hash,
      },
    ]);
  });
  test('is refused without a one-line reason and then changes nothing', async () => {
    const itemId = await record.publish();
    for (const reason of ['', ' padded', 'two\nlines', 'turned \u202E round', 'x'.repeat(501)]) {
      expect(await record.publisher.withdrawItem({ itemId, reason })).toEqual({
        ok: false,
        reason: 'invalid_reason',
      });
    }
    expect(await correctionsOf(itemId)).toEqual([]);
    expect((await record.publisher.withdrawItem({ itemId, reason: 'x'.repeat(500) })).ok).toBe(true);
  });
  test('is not recorded for merges that the newsroom makes by itself', async () => {
    const open = async () =>
      valueOf(await record.publisher.openStory({ title: 'S', itemIds: [await record.publish()] })).storyId;
    const [absorbedId, survivorId] = [await open(), await open()];
    valueOf(await record.publisher.mergeStories({ absorbedId, survivorId }));
    expect(await correctionsOf(absorbedId)).toEqual([]);
  });
  test('can be neither changed nor removed by the login that writes the record', async () => {
    for (const query of [
      store.database.deleteFrom('record.correction'),
      store.database.updateTable('record.correction').set({ reason: 'Another.' }),
    ])
      await expect(query.execute()).rejects.toThrow('permission denied');
  });
});
