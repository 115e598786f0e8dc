import type { ServerResponse } from 'node:http';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import type { EntryId } from './entry-store.ts';
import { markEntryWithdrawn } from './left-entry-store.ts';

interface Entry {
  readonly guid?: string;
  readonly link?: string;
  readonly title: string;
  readonly text?: string;
  readonly date?: string;
}

interface EntryChange {
  readonly guid?: string | undefined;
  readonly link?: string;
  readonly date?: string;
}

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let site = 0;
beforeAll(async () => {
  store = await createTestDatabase();
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
  site += 1;
});
afterAll(() => store.drop());

function rss(entries: readonly Entry[]): string {
  const items = entries.map(
    ({ guid, link, title, text = 'A text.', date }) =>
      `<item><title>${title}</title>${link === undefined ? '' : `<link>${link}</link>`}${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}<description>${text}</description>${date === undefined ? '' : `<pubDate>${date}</pubDate>`}</item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`;
}

/** A publisher with a list that the test sets. */
async function openWire() {
  const list = { entries: [] as readonly Entry[], etag: '"1"' };
  const asked: (string | undefined)[] = [];
  const publisher = await startPublisher((request, response: ServerResponse) => {
    asked.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === list.etag) response.writeHead(304).end();
    else response.writeHead(200, { etag: list.etag }).end(rss(list.entries));
  });
  const show = (entries: readonly Entry[]): void => {
    list.entries = entries;
    list.etag = `"${Number(list.etag.slice(1, -1)) + 1}"`;
  };
  return { newsroom: createTestNewsroom(store, clock, publisher.fetcher), show, asked };
}

const entry = (number: number, more: Partial<Entry> = {}): Entry => ({
  guid: `g${number}`,
  link: `http://site${site}.example/news/${number}`,
  title: `Lab releases model number ${number}`,
  ...more,
});

test('a first import stores the 30 newest entries; the others are never stored later', async () => {
  const { newsroom, show } = await openWire();
  const dated = (number: number) =>
    entry(number, { date: new Date(Date.UTC(2026, 10, 14, 0, number)).toUTCString() });
  show(Array.from({ length: 45 }, (_, at) => dated(at)));
  const source = await newsroom.add(`http://site${site}.example/feed`);
  expect(await newsroom.poll(source)).toMatchObject({ landed: 30, inFeed: 45 });
  const titles = (await newsroom.entries()).map(({ title }) => title);
  expect(titles).toContain('Lab releases model number 44');
  expect(titles).not.toContain('Lab releases model number 14');
  show(Array.from({ length: 46 }, (_, at) => dated(at)));
  expect(await newsroom.poll(source)).toMatchObject({ landed: 1 });
  const imports = (await newsroom.entries()).map(({ first_import }) => first_import);
  expect(imports.filter(Boolean)).toHaveLength(30);
  expect(imports).toHaveLength(31);
});

describe('an entry stays the same entry', () => {
  test.each<readonly [string, { readonly date?: string }, EntryChange]>([
    ['when the same list is polled again', {}, {}],
    ['when its guid changes', {}, { guid: 'other' }],
    ['when its address changes', {}, { link: 'http://elsewhere.example/1' }],
    ['when it loses its guid', {}, { guid: undefined }],
    [
      'when its date changes',
      { date: 'Sat, 14 Nov 2026 10:00:00 GMT' },
      { date: 'Sun, 15 Nov 2026 01:00:00 GMT' },
    ],
    ['when tracking parameters are added', {}, { guid: undefined, link: 'MARKED' }],
  ])('%s', async (_, before, after) => {
    const { newsroom, show } = await openWire();
    show([entry(1, before), entry(2)]);
    const source = await newsroom.add(`http://site${site}.example/feed`);
    await newsroom.poll(source);
    const link =
      after.link === 'MARKED' ? `https://www.site${site}.example/news/1/?utm_source=rss` : after.link;
    const { guid, ...rest } = { ...entry(1), ...after, ...(link !== undefined && { link }) };
    show([{ ...rest, ...(guid !== undefined && { guid }) }, entry(2)]);
    expect(await newsroom.poll(source)).toMatchObject({ landed: 0, revised: 0 });
    expect(await newsroom.entries()).toHaveLength(2);
  });

  test('with its first date when the publisher changes the date', async () => {
    const { newsroom, show } = await openWire();
    const source = await newsroom.add(`http://site${site}.example/feed`);
    for (const day of ['Sat, 14', 'Sun, 15']) {
      show([entry(1, { title: `Model of ${day}`, date: `${day} Nov 2026 01:00:00 GMT` })]);
      await newsroom.poll(source);
    }
    const [stored] = await newsroom.entries();
    expect(stored?.revision).toBe(2);
    expect(stored?.published_at).toMatch(/^2026-11-14/u);
  });

  test('and a changed title is a revision, but a title that it has had before is none', async () => {
    const { newsroom, show } = await openWire();
    const titles = ['First title of it', 'Second title of it', 'First title of it', 'Second title of it'];
    const source = await newsroom.add(`http://site${site}.example/feed`);
    const revised: number[] = [];
    for (const title of titles) {
      show([entry(1, { title })]);
      revised.push((await newsroom.poll(source)).revised);
    }
    expect(revised).toEqual([0, 1, 0, 0]);
    const [stored] = await newsroom.entries();
    expect(stored).toMatchObject({ title: 'Second title of it', revision: 2 });
    expect(await newsroom.unpublished()).toEqual([`${stored?.id} r2`]);
  });

  test('even if another entry has the same guid', async () => {
    const { newsroom, show } = await openWire();
    show([entry(1, { guid: 'same' }), entry(2, { guid: 'same' })]);
    const source = await newsroom.add(`http://site${site}.example/feed`);
    expect(await newsroom.poll(source)).toMatchObject({ landed: 2 });
    show([entry(3, { guid: 'same' }), entry(1, { guid: 'same' }), entry(2, { guid: 'same' })]);
    expect(await newsroom.poll(source)).toMatchObject({ landed: 1, revised: 0 });
  });
});

test('an article that a second source lists becomes a sighting, not a second entry', async () => {
  const { newsroom, show } = await openWire();
  show([entry(1)]);
  const first = await newsroom.add(`http://site${site}.example/feed`);
  const second = await newsroom.add(`http://site${site}.example/all`);
  await newsroom.poll(first);
  show([entry(1, { guid: 'of the second', title: 'Told otherwise' }), entry(2)]);
  expect(await newsroom.poll(second)).toMatchObject({ landed: 1, sighted: 1, revised: 0 });
  const entries = await newsroom.entries();
  expect(entries.map(({ title }) => title)).toEqual([
    'Lab releases model number 1',
    'Lab releases model number 2',
  ]);
  const sightings = await store.database.selectFrom('newsroom.sighting').selectAll().execute();
  expect(sightings).toMatchObject([
    { entry_id: entries[0]?.id, source_id: second.id, title: 'Told otherwise' },
  ]);
  show([entry(1, { guid: 'of the second', title: 'Told once more' }), entry(2)]);
  expect(await newsroom.poll(second)).toMatchObject({ landed: 0, sighted: 0, revised: 0 });
});

test('no list brings back the words of an article that was withdrawn', async () => {
  const { newsroom, show } = await openWire();
  show([entry(1, { title: 'Withdrawnword report' })]);
  const [first, second, third] = [
    await newsroom.add(`http://site${site}.example/feed`, { allSubjects: true }),
    await newsroom.add(`http://site${site}.example/all`),
    await newsroom.add(`http://site${site}.example/later`),
  ];
  await newsroom.poll(first);
  show([entry(1, { guid: 'of the second', title: 'Withdrawnword again' })]);
  await newsroom.poll(second);
  await newsroom.publish();
  const [{ id } = { id: '' }] = await newsroom.entries();
  const { publisher } = newsroom.deskDeps;
  expect(await publisher.withdrawItem({ itemId: id as EntryId })).toMatchObject({ ok: true });
  await store.database
    .transaction()
    .execute((transaction) => markEntryWithdrawn(transaction, id as EntryId, clock.now()));
  show([entry(1, { title: 'Withdrawnword edited' })]);
  await newsroom.poll(await newsroom.stored(first.id));
  show([entry(1, { guid: 'of the third', title: 'Withdrawnword in a third list' })]);
  await newsroom.poll(third);
  const { rows } = await sql<{ words: string }>`
    SELECT entry::text AS words FROM newsroom.entry WHERE id = ${id}
    UNION ALL SELECT sighting::text FROM newsroom.sighting WHERE entry_id = ${id}
    UNION ALL SELECT content ->> 'signature' FROM newsroom.story_report WHERE item_id = ${id}`.execute(
    store.database,
  );
  expect(rows).toHaveLength(4);
  expect(rows.filter(({ words }) => /withdrawnword/iu.test(words))).toEqual([]);
});

test('entries of an isolated source are stored, are not published, and do not replace the entries of other sources', async () => {
  const { newsroom, show } = await openWire();
  show([entry(1)]);
  const isolated = await newsroom.add(`http://site${site}.example/a`, { participation: 'isolated' });
  const editorial = await newsroom.add(`http://site${site}.example/b`);
  expect(await newsroom.poll(isolated)).toMatchObject({ landed: 1 });
  expect(await newsroom.unpublished()).toEqual([]);
  expect(await newsroom.entries()).toMatchObject([
    { outcome: 'declined', outcome_reason: 'The source is isolated.' },
  ]);
  expect(await newsroom.poll(editorial)).toMatchObject({ landed: 1 });
  expect(await newsroom.unpublished()).toHaveLength(1);
});

test('validators are stored only with the entries of their response', async () => {
  const { newsroom, show, asked } = await openWire();
  show([entry(1)]);
  const source = await newsroom.add(`http://site${site}.example/feed`);
  await store.asSuperuser('ALTER TABLE newsroom.entry ADD CONSTRAINT never CHECK (false) NOT VALID');
  expect((await newsroom.poll(source)).outcome).toContain('could not be stored');
  await store.asSuperuser('ALTER TABLE newsroom.entry DROP CONSTRAINT never');
  expect(await newsroom.poll(source)).toMatchObject({ landed: 1 });
  expect(await newsroom.poll(source)).toMatchObject({ outcome: 'nothing new', landed: 0 });
  expect(asked).toEqual([undefined, undefined, '"2"']);
});

test('an empty list deletes no entries and is no failure', async () => {
  const { newsroom, show } = await openWire();
  show([entry(1)]);
  const source = await newsroom.add(`http://site${site}.example/feed`);
  await newsroom.poll(source);
  show([]);
  expect(await newsroom.poll(source)).toMatchObject({ outcome: 'read', isAnswered: true, landed: 0 });
  show([entry(1)]);
  expect(await newsroom.poll(source)).toMatchObject({ landed: 0, revised: 0 });
  expect(await newsroom.entries()).toHaveLength(1);
});

test('a publication date after the discovery is dropped', async () => {
  const { newsroom, show } = await openWire();
  show([entry(1, { date: 'Mon, 16 Nov 2026 10:00:00 GMT' })]);
  await newsroom.poll(await newsroom.add(`http://site${site}.example/feed`));
  expect(await newsroom.entries()).toMatchObject([
    { published_at: null, published_raw: 'Mon, 16 Nov 2026 10:00:00 GMT' },
  ]);
});
