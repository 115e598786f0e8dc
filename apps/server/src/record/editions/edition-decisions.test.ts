import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { readContents } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';

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

describe('issuing', () => {
  test('an edition is read back as it was issued, in order', async () => {
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
  test('a daily covers the 24 hours before 08:00 in Shanghai, a week and a month what their dailies cover', async () => {
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
  test('is refused for an empty edition, a second one of the same period and a period no calendar has', async () => {
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
  test('is refused where it cites what is withdrawn, unknown, repeated or outside of it', async () => {
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
  test('leaves every edition that cites it: a new revision, a note, and no word written from it in any revision', async () => {
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
    expect(await record.publisher.withdrawItem({ itemId: leaves })).toEqual({
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

describe('correcting', () => {
  test('adds a note and a revision and forbids copies; revising only makes them stale', async () => {
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
  test('is refused for an edition that was never issued', async () => {
    const key: EditionKey = { kind: 'daily', period: '2020-01-01' };
    expect(await record.publisher.correctEdition({ ...key, note: 'x' })).toEqual({
      ok: false,
      reason: 'unknown_edition',
    });
  });
});
